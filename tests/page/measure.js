const box = element => element.getBoundingClientRect();
const chart = document.querySelector('.chart svg');
parent.document.body.dataset[name] = JSON.stringify({
  width: innerWidth,
  scroll: document.documentElement.scrollWidth,
  standings: [...document.querySelectorAll('.standings tbody tr')].map(row => row.innerText.split(/\s*\t\s*/)),
  chart: [box(chart).width, box(chart).height],
  lines: [...chart.querySelectorAll('.line')].map(line => line.getTotalLength()),
  labels: [...chart.querySelectorAll('.label')].map(label => label.textContent),
  outside: [...chart.querySelectorAll('text')].filter(one => box(one).right > box(chart).right + 1
    || box(one).left < box(chart).left - 1).map(one => one.textContent),
  hands: document.querySelectorAll('article').length,
  tiles: [...document.querySelectorAll('figure.tiles')].map(one => [box(one).width, box(one).height]),
  faces: [...document.querySelectorAll('g.tile rect')].map(one => [box(one).width, box(one).height]),
  wide: [...document.querySelectorAll('.wide')].filter(one => one.scrollWidth > one.clientWidth).length,
});
