/** The report's look: light, dark, and on paper with everything unfolded. */
export const style = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #59636e; --paper: #fff; --line: #d5dae0; --band: #f3f5f7; --good: #0f6b3a; --bad: #b3261e; --open: #8a5300; --calm: #2b5797; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --soft: #9aa4ae; --paper: #14171a; --line: #343a41; --band: #1d2226; --good: #62c890; --bad: #ff8a80; --open: #f0b35a; --calm: #8ab4f8; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 1.5rem 1.25rem 4rem; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0; }
h2 { font-size: 1.15rem; margin: 0 0 .25rem; }
h3 { font-size: .95rem; margin: 1rem 0 .25rem; color: var(--soft); }
a { color: var(--calm); }
.counts { font-size: 1.1rem; margin: .25rem 0 .75rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0 0 1.25rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.summary td:nth-child(1), .summary td:nth-child(3) { white-space: nowrap; }
.summary td:nth-child(2) { width: 30%; }
.summary td:nth-child(4) { color: var(--soft); }
.group th { padding-top: 1rem; color: var(--soft); font-weight: 600; }
.badge { display: inline-block; padding: 0 .5rem; border: 1px solid currentColor; border-radius: .75rem; font-size: .8rem; font-weight: 600; white-space: nowrap; vertical-align: 1px; }
.passed, .good { color: var(--good); }
.failed, .bad { color: var(--bad); }
.notShown { color: var(--open); }
.documented, .forPeople { color: var(--calm); }
.legend { list-style: none; padding: 0; margin: 1rem 0 2rem; color: var(--soft); }
section { border-top: 1px solid var(--line); padding: 1.5rem 0 .5rem; }
.source, .refs { color: var(--soft); font-size: .85rem; }
.ended { color: var(--bad); font-weight: 600; }
.rules { list-style: none; padding: 0; }
.rules > li { margin: .5rem 0; }
.detail { overflow-wrap: anywhere; }
.requests { padding-left: 2.75rem; }
.requests > li { margin: .25rem 0; }
.requests > li::marker { color: var(--soft); font-size: .85rem; }
.requests > li:target, section:target > h2 { background: var(--band); }
summary { cursor: pointer; overflow-wrap: anywhere; }
code, pre { font: .85rem/1.45 ui-monospace, monospace; }
pre { margin: .35rem 0; padding: .6rem .75rem; background: var(--band); white-space: pre-wrap; overflow-wrap: anywhere; }
.shows { margin: 0; padding-left: 1.1rem; color: var(--soft); font-size: .85rem; }
.requests .source { margin: 0; }
.evidence { margin: .75rem 0; font-size: .9rem; }
@media print {
  :root { --ink: #000; --soft: #444; --paper: #fff; --line: #bbb; --band: #fff; --good: #0f6b3a; --bad: #b3261e; --open: #8a5300; --calm: #2b5797; }
  body { max-width: none; font-size: 10pt; }
  .requests > li, tr, h2 { break-inside: avoid; break-after: auto; }
  h2, h3 { break-after: avoid; }
  details::details-content { content-visibility: visible; height: auto; }
}
`;
