"""What people look at: text, tiles, drawings, reports and pages."""
