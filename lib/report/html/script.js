
'use strict';
// Tables sort by the column that is clicked; what has no figure comes last.
const value = (row, column) => {
  const cell = row.cells[column];
  return 'v' in cell.dataset ? cell.dataset.v : cell.textContent.trim();
};
const compare = (a, b) => {
  if (a === '' || b === '') return (a === '') - (b === '');
  return isNaN(a) || isNaN(b) ? a.localeCompare(b) : a - b;
};
const sort = (table, head) => {
  const down = head.getAttribute('aria-sort') === 'ascending';
  const body = table.tBodies[0];
  const column = head.cellIndex;
  const rows = [...body.rows].sort((a, b) => {
    const [x, y] = [value(a, column), value(b, column)];
    return x === '' || y === '' || !down ? compare(x, y) : compare(y, x);
  });
  for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
  body.append(...rows);
};
for (const table of document.querySelectorAll('table.sort')) {
  for (const head of table.tHead.rows[0].cells) {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    button.addEventListener('click', () => sort(table, head));
    head.append(button);
  }
}

// The values of a picture, where the pointer is or was tapped; without this script, browsers show the titles after a while.
const tip = document.createElement('div');
tip.id = 'tip';
tip.hidden = true;
document.body.append(tip);
for (const title of document.querySelectorAll('svg g > title')) {
  title.parentNode.dataset.tip = title.textContent;
  title.remove();
}
const show = event => {
  const at = event.target.closest('[data-tip]');
  tip.hidden = !at;
  if (!at) return;
  tip.textContent = at.dataset.tip;
  const left = Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8);
  const above = event.clientY - tip.offsetHeight - 12;
  tip.style.left = Math.max(8, left) + 'px';
  tip.style.top = (above < 4 ? event.clientY + 18 : above) + 'px';
};
for (const kind of ['pointermove', 'pointerdown']) document.addEventListener(kind, show);
document.addEventListener('keydown', event => { if (event.key === 'Escape') tip.hidden = true; });
document.addEventListener('scroll', () => { tip.hidden = true; }, {passive: true});

// A link to what is folded unfolds it.
const unfold = () => {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (target && target.matches('details')) target.open = true;
};
addEventListener('hashchange', unfold);
unfold();

// What is folded is printed.
const folded = [];
addEventListener('beforeprint', () => {
  for (const part of document.querySelectorAll('details:not([open])')) { folded.push(part); part.open = true; }
});
addEventListener('afterprint', () => { for (const part of folded.splice(0)) part.open = false; });
