// Random actions on the evenings beside a model that keeps each whole state:   node steps.mjs STEPS.JS SEED COUNT
// Prints what differs.
const [script, seed, count] = process.argv.slice(2);
const steps = await import(script);

let random = Number(seed);
const below = (limit) => {
  random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((random / 2_147_483_648) * limit);
};
const visible = ({ things, at }, on) => {
  const names = Object.keys(things).filter((id) => (id === "hand") === (on === "hand")).sort();
  // whose turn it is, is looked at and not done
  const shown = names.map((id) => [id, { ...things[id], seat: undefined }]);
  return JSON.stringify(on === "hand" ? shown : [at, shown]);
};
const expect = (found, wanted, told) => {
  if (found !== wanted) throw new Error(`${told}: ${found}, not ${wanted}`);
};

function evening() {
  let state = steps.EMPTY;
  const done = { hand: [], evening: [] }; // what was seen before each step that can be undone
  const undone = { hand: [], evening: [] };
  let names = 0;
  for (let turn = 0; turn < 60; turn += 1) {
    const on = below(4) ? "evening" : "hand";
    const before = visible(state, on);
    const other = on === "hand" ? "evening" : "hand";
    const beside = visible(state, other);
    const ids = Object.keys(state.things).filter((id) => id !== "hand");
    const id = ids[below(ids.length)];
    const kind = below(10);
    const act = (patch) => {
      state = steps.act(state, on, ["something"], patch);
      done[on].push(before);
      undone[on] = [];
    };
    if (kind < 2) {
      const [after, step] = steps.undone(state, on);
      expect(step !== null, done[on].length > 0, "something to undo");
      state = after;
      if (step) {
        undone[on].push(before);
        expect(visible(state, on), done[on].pop(), "undone");
      }
    } else if (kind < 3) {
      const [after, step] = steps.redone(state, on);
      expect(step !== null, undone[on].length > 0, "something to redo");
      state = after;
      if (step) {
        done[on].push(before);
        expect(visible(state, on), undone[on].pop(), "redone");
      }
    } else if (on === "hand") act({ things: { hand: { taps: [`${turn}`] } } });
    else if (kind < 5 || id === undefined) act({ at: `e${(names += 1)}`, things: { [`e${names}`]: { text: `${turn}`, taps: {}, seat: "E" } } });
    else if (kind < 6) act({ at: id === state.at ? "" : state.at, things: { [id]: null } });
    else if (kind < 7) act({ at: id });
    else if (kind < 8) [state] = steps.put(state, { things: { [id]: { seat: "ESWN"[below(4)] } } });
    else act({ things: { [id]: below(2) ? { taps: { E: [`${turn}`] } } : { text: `${turn}`, taps: {} } } });
    expect(visible(state, other), beside, "what is not looked at");
    // what is kept on the disk and read again is the same
    if (!below(8)) state = structuredClone(state);
    if (below(8) === 0 && on === "hand" && state.things.hand) {
      // a tap that cannot be is no step
      const is = visible(state, "hand");
      const { taps } = state.things.hand;
      state = steps.act(state, "hand", ["tap"], { things: { hand: { taps: [...taps, "5c"] } } });
      state = steps.corrected(state, "hand", { things: { hand: { taps } } });
      undone.hand = [];
      expect(visible(state, "hand"), is, "put right");
      expect(state.past.filter((step) => step.on === "hand").length, done.hand.length, "steps");
    }
  }
}

// What the page of version 1.0 kept: evening after evening, one put away for the next, undone and done again.
function older() {
  const texts = ["A", "A1", "A2", "", "B", "B1"];
  const step = (text) => ({ text, taps: text === "A" ? { E: ["5c"] } : {} });
  let state = steps.fromTexts(steps.EMPTY, "B", { text: "B", past: texts.slice(0, 4).map(step), future: [step("B1")] }, { text: "B", taps: { S: ["1b"] }, seat: "S" });
  const texts_ = ({ things }) => Object.values(things).map(({ text }) => text).sort().join();
  expect(state.things[state.at].text, "B", "the evening");
  expect(JSON.stringify(state.things[state.at].taps), '{"S":["1b"]}', "the draft");
  expect(texts_(state), "A2,B", "the one that was put away is kept");
  const seen = [];
  for (let step; ([state, step] = steps.undone(state, "evening")), step; ) seen.push(state.things[state.at]?.text ?? "");
  expect(seen.join(), ",A2,A1,A", "undone");
  expect(JSON.stringify(state.things[state.at].taps), '{"E":["5c"]}', "with what was tapped");
  for (let number = 0; number < 5; number += 1) [state] = steps.redone(state, "evening");
  expect(state.things[state.at].text, "B1", "done again");
  // stopped between two writes: the evening before can be had again
  state = steps.fromTexts(steps.EMPTY, "A1", { text: "A", past: [], future: [] }, null);
  [state] = steps.undone(state, "evening");
  expect(state.things[state.at].text, "A", "the evening before");
  // nothing but a text, and nothing at all
  state = steps.fromTexts(steps.EMPTY, "", { text: null, past: [], future: [] }, null);
  expect(JSON.stringify([state.at, state.things, state.past]), '["",{},[]]', "nothing");
}

// A tap of which only one of the two places knows is undone alone, and not what was done before it.
function stopped() {
  const text = "hand 1";
  const kept = steps.act(steps.EMPTY, "evening", ["line"], { at: "e", things: { e: { text, taps: {}, seat: "E" } } });
  const local = { at: "e", text, seat: "E", mark: "", aside: null, carried: "" };
  for (const [draft, count] of [[{ taps: { E: ["5c"] } }, 2], [{ taps: {}, seat: "S" }, 1], [{ taps: {}, mark: "hand 1", aside: { taps: {}, seat: "E" } }, 2]]) {
    const later = steps.overlaid(kept, { ...local, ...draft });
    expect(later.past.length, count, "steps");
    expect(JSON.stringify(later.things.e.taps), JSON.stringify(draft.taps), "taps");
    if (count > 1) expect(JSON.stringify(steps.undone(later, "evening")[0].things.e.taps), "{}", "undone");
  }
}

// Long evenings give up their oldest steps, never the last.
function long() {
  let state = steps.put(steps.EMPTY, { at: "e", things: { e: { text: "x".repeat(300_000), taps: {} } } })[0];
  for (let turn = 0; turn < 20; turn += 1) state = steps.act(state, "evening", ["line"], { things: { e: { text: `${turn}`.repeat(150_000) } } });
  if (state.past.length < 5 || state.past.length > 19) throw new Error(`${state.past.length} steps`);
  [state] = steps.undone(state, "evening");
  expect(state.things.e.text, "18".repeat(150_000), "the last");
  for (let turn = 0; turn < 2000; turn += 1) state = steps.act(state, "hand", ["tap"], { things: { hand: { taps: [`${turn}`] } } });
  expect(state.past.length, 500, "steps");
}

try {
  for (let number = 0; number < Number(count); number += 1) evening();
  older();
  stopped();
  long();
} catch (error) {
  console.log(`${error.message} (seed ${seed})`);
}
