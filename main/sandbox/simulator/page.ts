/**
 * `GET /`: an overview of the simulated service, with buttons for the actions of a phone's owner.
 * It needs no build and loads nothing from other hosts.
 */

export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'",
} as const;

const style = `
:root { color-scheme: light dark; --line: light-dark(#d5d9de, #3a4048); --quiet: light-dark(#4a525c, #b4bcc6); --ground: light-dark(#f6f7f9, #15181c);
  --card: light-dark(#fff, #1e2329); --act: light-dark(#0b5cad, #7fb8f0); --bad: light-dark(#a3201c, #ff9a92); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); font: 15px/1.45 system-ui, sans-serif; }
header { position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: center; padding: 10px 20px; background: var(--card); border-bottom: 1px solid var(--line); z-index: 1; }
h1 { font-size: 18px; margin: 0; } h2 { font-size: 16px; margin: 0; }
main { padding: 16px 20px; display: grid; gap: 16px; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 12px 14px; overflow-x: auto; }
section > div { display: flex; gap: 10px; align-items: baseline; }
.quiet { color: var(--quiet); font-size: 13px; }
table { border-collapse: collapse; width: 100%; margin-top: 6px; }
th { text-align: left; font-weight: 600; font-size: 13px; color: var(--quiet); }
th, td { padding: 5px 14px 5px 0; border-top: 1px solid var(--line); white-space: nowrap; font-variant-numeric: tabular-nums; }
td:last-child { text-align: right; }
button, select { font: inherit; min-height: 36px; padding: 4px 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--ground); color: inherit; }
button { color: var(--act); font-weight: 600; cursor: pointer; margin-left: 6px; }
button:hover { border-color: var(--act); } :focus-visible { outline: 3px solid var(--act); outline-offset: 1px; }
#said { min-height: 1.4em; } #said.bad { color: var(--bad); } label { display: inline-flex; gap: 8px; align-items: center; }
`;

const script = `
const make = (name, about = {}, ...children) => { const node = Object.assign(document.createElement(name), about); node.append(...children); return node; };
const $ = (id) => document.getElementById(id);
const say = (text, className = 'bad') => Object.assign($('said'), { textContent: text, className });
async function post(path, body, method = 'POST') {
  try {
    const answer = await fetch('/simulator/' + path, { method, headers: { 'content-type': 'application/json' }, ...(method === 'POST' ? { body: JSON.stringify(body) } : {}) });
    const { message, redirectUri } = await answer.json().catch(() => ({}));
    if (answer.ok) say(redirectUri ? 'The user goes on to ' + redirectUri : '', '');
    else say(message ?? 'The simulator refused (' + answer.status + ').');
  } catch { say('The simulator does not answer.'); }
  await look();
}
function table({ title, columns, rows, total }) {
  const body = rows.map(({ cells, actions }) => make('tr', {}, ...cells.map((cell) => make('td', { textContent: cell })),
    make('td', {}, ...actions.map(({ label, endpoint, body, byPhone }) => make('button', {
      type: 'button', textContent: label, ariaLabel: label + ': ' + cells[0], id: endpoint + ' ' + JSON.stringify(body),
      onclick: () => post(endpoint, byPhone ? { ...body, phoneNumber: $('phone').value } : body) })))));
  const more = total > rows.length ? 'the newest ' + rows.length + ' of ' + total : String(total);
  const head = make('tr', {}, ...columns.map((name) => make('th', { scope: 'col', textContent: name })), make('td'));
  const rest = rows.length === 0 ? [] : [make('table', {}, make('thead', {}, head), make('tbody', {}, ...body))];
  return make('section', { ariaLabel: title }, make('div', {}, make('h2', { textContent: title }), make('span', { className: 'quiet', textContent: more })), ...rest);
}
let shown = '';
async function look() {
  let text;
  try { text = await (await fetch('/simulator/glance')).text(); } catch { return say('The simulator does not answer.'); }
  const { at, phones, violations, faults, ...world } = JSON.parse(text);
  $('at').textContent = at.replace('T', ' ').slice(0, 19) + ' UTC';
  const broken = Object.entries(violations).filter(([, count]) => count > 0).map(([rule, count]) => rule + ' ' + count);
  $('violations').textContent = broken.length === 0 ? 'No rule broken' : 'Rules broken: ' + broken.join(', ');
  $('faults').textContent = faults.length === 0 ? 'No fault planned' : 'Faults planned: ' + faults.map(({ fault }) => fault.operation + ' ' + fault.kind).join(', ');
  $('clear').hidden = faults.length === 0;
  const picked = $('phone').value;
  if ($('phone').options.length !== phones.length) {
    $('phone').replaceChildren(...phones.map(({ phoneNumber, name }) => make('option', { value: phoneNumber, textContent: phoneNumber + ' (' + name + ')' })));
    if (picked) $('phone').value = picked;
  }
  const now = JSON.stringify(world);
  if (now === shown) return;
  shown = now;
  const focused = document.activeElement?.id;
  const there = world.sections.filter(({ total }) => total > 0);
  $('world').replaceChildren(...(there.length > 0 ? there.map(table) : [make('p', { className: 'quiet', textContent: 'Nobody has asked for anything yet.' })]));
  if (focused) $(focused)?.focus();
}
$('ahead5').onclick = () => post('clock', { advanceMs: 5 * 60_000 });
$('ahead60').onclick = () => post('clock', { advanceMs: 60 * 60_000 });
$('aheadDay').onclick = () => post('clock', { advanceMs: 24 * 60 * 60_000 });
$('clear').onclick = () => post('faults', null, 'DELETE');
setInterval(() => { if (!document.hidden) void look(); }, 1000);
void look();
`;

export const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>The simulated wallet service</title><style>${style}</style></head>
<body>
<header>
<h1>The simulated wallet service</h1>
<label>Phone <select id="phone"></select></label>
<span><span id="at"></span>
<button type="button" id="ahead5">+5 min</button><button type="button" id="ahead60">+1 h</button><button type="button" id="aheadDay">+1 day</button></span>
<span class="quiet" id="violations"></span>
<span class="quiet"><span id="faults"></span><button type="button" id="clear" hidden>Clear</button></span>
<a href="/openapi.json">openapi.json</a>
<span id="said" role="status"></span>
</header>
<main id="world"></main>
<script>${script}</script>
</body>
</html>
`;
