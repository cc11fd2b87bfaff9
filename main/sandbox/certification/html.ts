/** `certification.html`: one file, readable on a screen and on paper, without a script. */
import {
  type CaseReport,
  counts,
  type RecordedExchange,
  type Report,
  type RuleReport,
  verdictMeanings,
  verdictWords,
  whatItShows,
} from './report.ts';
import { style } from './html-style.ts';
import { type Verdict, verdicts } from './case.ts';

export function reportPage(report: Report): string {
  const { startedAt, endedAt, service, clientVersion, merchant, sections, cases, exchanges } =
    report;
  const facts: readonly (readonly [string, string])[] = [
    ['Client', `version ${clientVersion}`],
    ['Service', service],
    ['Merchant', merchant],
    ['Run', `${startedAt} to ${endedAt}, ${exchanges.length} requests`],
  ];
  const byNumber = new Map(exchanges.map((exchange) => [exchange.number, exchange]));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Certification of version ${escape(clientVersion)}: ${escape(counts(report))}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>Certification</h1>
<p class="counts">${escape(counts(report))}</p>
<dl>${facts.map(([name, value]) => `<dt>${name}</dt><dd>${escape(value)}</dd>`).join('')}</dl>
</header>
<main>
${summary(cases, sections)}
${legend(cases)}
${cases.map((one) => caseSection(one, byNumber)).join('\n')}
${tidying(exchanges)}
</main>
</body>
</html>
`;
}

function summary(cases: readonly CaseReport[], sections: Report['sections']): string {
  const groups = Map.groupBy(cases, ({ section }) => section);
  const rows = [...groups].map(([section, members]) => {
    const head = `<tr class="group"><th colspan="4" scope="rowgroup">${section}. ${escape(sections[section] ?? '')}</th></tr>`;
    return head + members.map(summaryRow).join('');
  });
  const columns = ['Case', 'Title', 'Verdict', 'What it shows'].map(
    (title) => `<th scope="col">${title}</th>`,
  );
  return `<table class="summary"><thead><tr>${columns.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

const summaryRow = (one: CaseReport): string =>
  `<tr><td><a href="#${anchor(one.id)}">${escape(one.id)}</a></td><td>${escape(one.title)}</td><td>${badge(one.verdict)}</td><td>${escape(whatItShows(one))}</td></tr>`;

function legend(cases: readonly CaseReport[]): string {
  const used = verdicts.filter((verdict) => cases.some((one) => one.verdict === verdict));
  return `<ul class="legend">${used.map((verdict) => `<li>${badge(verdict)} ${escape(verdictMeanings[verdict])}</li>`).join('')}</ul>`;
}

function caseSection(one: CaseReport, byNumber: ReadonlyMap<number, RecordedExchange>): string {
  const { id, title, verdict, source, ended, rules, documented, people, evidence, requests } = one;
  const facts = Object.entries(evidence).map(
    ([name, value]) =>
      `<dt>${escape(name)}</dt><dd><code>${escape(JSON.stringify(value) ?? '–')}</code></dd>`,
  );
  return `<section id="${anchor(id)}">
<h2>${escape(id)}. ${escape(title)} ${badge(verdict)}</h2>
<p class="source">${escape(source)}</p>
${ended === null ? '' : `<p class="ended">${escape(ended)}</p>`}
${rules.length === 0 ? '' : `<ul class="rules">${rules.map(ruleItem).join('')}</ul>`}
${list('Holds by the way the product is built; not seen in this run', documented)}
${list('A person confirms', people)}
${facts.length === 0 ? '' : `<dl class="evidence">${facts.join('')}</dl>`}
${requestList(
  requests.flatMap((number) => byNumber.get(number) ?? []),
  id,
)}
</section>`;
}

const ruleWords: Readonly<Record<RuleReport['verdict'], readonly [Verdict, string]>> = {
  shown: ['passed', 'shown'],
  broken: ['failed', 'BROKEN'],
  notShown: ['notShown', 'not shown'],
};

function ruleItem({ says, source, verdict, detail, exchanges }: RuleReport): string {
  const [look, word] = ruleWords[verdict];
  return `<li>${badge(look, word)} ${escape(says)} <span class="source">(${escape(source)})</span><br><span class="detail">${escape(detail)}</span>${references(exchanges)}</li>`;
}

/** The most links to requests that a rule shows. */
const maxReferences = 12;

function references(numbers: readonly number[]): string {
  if (numbers.length === 0) return '';
  const links = numbers
    .slice(0, maxReferences)
    .map((number) => `<a href="#request-${number}">${number}</a>`);
  return ` <span class="refs">request ${links.join(' ')}${numbers.length > maxReferences ? ' …' : ''}</span>`;
}

const list = (title: string, items: readonly string[]): string =>
  items.length === 0
    ? ''
    : `<h3>${escape(title)}</h3><ul>${items.map((item) => `<li>${escape(item)}</li>`).join('')}</ul>`;

function requestList(exchanges: readonly RecordedExchange[], caseId: string | null): string {
  if (exchanges.length === 0) return '';
  return `<h3>Requests</h3><ol class="requests">${exchanges.map((exchange) => request(exchange, caseId)).join('')}</ol>`;
}

function request(exchange: RecordedExchange, caseId: string | null): string {
  const {
    number,
    operation,
    method,
    path,
    headers,
    body,
    answer,
    failure,
    sentAt,
    attempt,
    tookMs,
    shows,
  } = exchange;
  const outcome = answer === null ? (failure ?? 'no answer yet') : String(answer.status);
  const kind = answer !== null && answer.status < 300 ? 'good' : 'bad';
  const own = shows
    .filter((show) => show.case === caseId)
    .map(({ rule }) => `<li>${escape(rule)}</li>`);
  const others = [
    ...new Set(shows.filter((show) => show.case !== caseId).map((show) => show.case)),
  ];
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const about = `${operation}, attempt ${attempt}, ${sentAt}${tookMs === null ? '' : `, ${tookMs} ms`}`;
  const summed = `<code>${escape(`${method} ${path}`)}</code> <b class="${kind}">${escape(outcome)}</b> <span class="source">${escape(about)}</span>`;
  const alsoBy = others.map((id) => `<a href="#${anchor(id)}">${escape(id)}</a>`).join(', ');
  return `<li id="request-${number}" value="${number}"><details><summary>${summed}</summary>
<pre>${escape([`${method} ${path}`, ...head, ...(body === null ? [] : ['', pretty(body)])].join('\n'))}</pre>
<pre>${escape(answer === null ? outcome : [String(answer.status), ...(answer.body === '' ? [] : ['', pretty(answer.body)])].join('\n'))}</pre></details>
${own.length === 0 ? '' : `<ul class="shows">${own.join('')}</ul>`}${others.length === 0 ? '' : `<p class="source">also looked at by ${alsoBy}</p>`}</li>`;
}

function tidying(exchanges: readonly RecordedExchange[]): string {
  const others = exchanges.filter(({ caseId }) => caseId === null);
  return others.length === 0
    ? ''
    : `<section id="tidying-up"><h2>Tidying up</h2><p>What was left open at the service is closed, and what was set up for the test goes.</p>${requestList(others, null)}</section>`;
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const badge = (verdict: Verdict, word: string = verdictWords[verdict]): string =>
  `<span class="badge ${verdict}">${escape(word)}</span>`;

const anchor = (id: string): string => `case-${id.replaceAll(/[^A-Za-z0-9]+/g, '-')}`;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The page quotes the service's answers, which must not become markup. */
function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
