/** The reference documentation of the clients, made from the operations' declarations: `main/wallet/v10/REFERENCE.md`. */
import { z } from 'zod';
import { catalogue } from './catalogue.ts';
import { contradictions } from './contradictions.ts';
import { type InterfaceDescription, type Operation, operationPath, pathParameterNames } from '../http/operation.ts';
import { profileNamed } from './profile.ts';

interface Shape {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: unknown;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
}

const contradictionsTitle = 'Where the documents contradict each other';

const idempotency: Readonly<Record<Operation['idempotency'], string>> = {
  natural: 'repeated freely on network errors and 5xx',
  headerKey: 'repeated with the same `idempotencyKey` (given as option of the call) only',
  bodyKey: 'repeated with the same `idempotencyKey` (in the body) only',
  none: 'sent once; ask what became of it when the outcome is unknown',
};

export function walletReference(): string {
  const interfaces = [...new Set(catalogue.map((operation) => operation.interface))];
  return `${[
    '# The wallet service: reference of the clients',
    '',
    'Made from the declarations by `npm run wallet-reference`; do not edit. Amounts are integers in minor units inside; the notation in which an interface writes them is applied at its edge.',
    '',
    'A call is `client.<operation>({ …path parameters, query, body }, options)`, with `client = clientOf(transport, operations)`. It throws `InvalidRequestError` before anything is sent; `ServiceRefusedError` or `CredentialsRefusedError` when nothing was done; `ServiceUnreachableError` or `UnexpectedAnswerError` when the outcome is not known.',
    '',
    'Every request has a correlation id in the header `CorrelationId`, the same for all calls of one payment and its refunds. Documents 1 and 3 name that header for subscriptions and app payments; the other interfaces name none and are sent the same one, because their error answers have such an id.',
    '',
    ...interfaces.map(({ title }) => `- [${title}](#${anchor(title)})`),
    `- [${contradictionsTitle}](#${anchor(contradictionsTitle)})`,
    ...interfaces.flatMap(chapter),
    '',
    `## ${contradictionsTitle}`,
    '',
    '| about | the documents | followed | why |',
    '|---|---|---|---|',
    ...contradictions.map(({ about, documents, followed, why }) => `| ${about} | ${documents} | ${followed} | ${why} |`),
  ].join('\n')}\n`;
}

const anchor = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

function chapter(described: InterfaceDescription): string[] {
  const { title, version, authentication, source, codes } = described;
  const proof =
    authentication === 'integrator'
      ? 'an integrator’s token, with version and VAT headers (`integratorAccess`)'
      : 'the merchant’s API key or access token (`merchantAccess`)';
  const codeRows = Object.entries(codes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  const codeTable = ['', `### Error codes of ${title.toLowerCase()}`, '', '| code | meaning |', '|---|---|', ...codeRows];
  return [
    '',
    `## ${title}`,
    '',
    `Version ${version}. Authenticated by ${proof}. Source: ${source}.`,
    ...catalogue.filter((operation) => operation.interface === described).flatMap(section),
    ...(codeRows.length === 0 ? [] : codeTable),
  ];
}

function section(operation: Operation): string[] {
  const { name, says, method, polled, timeoutMs, rules, answer, answerType, success, source } = operation;
  const manners = [
    polled ? 'polled by the caller at the service’s pace (`pollDelayInMs`)' : idempotency[operation.idempotency],
    `time-out ${timeoutMs / 1000} s`,
  ];
  const parameters = pathParameterNames(operation.path);
  return [
    '',
    `### ${name}`,
    '',
    says,
    '',
    `\`${method} ${operationPath(profileNamed('generic'), operation)}\` · ${manners.join(' · ')} · ${source}`,
    ...(parameters.length === 0 ? [] : ['', `Path: ${parameters.map((parameter) => `\`${parameter}\` (UUID)`).join(', ')}.`]),
    ...table('Query', operation.query),
    ...table('Body', operation.body),
    ...(rules.length === 0
      ? []
      : ['', ...rules.map((rule) => `- ${rule.says} (${rule.source})${rule.refusedByService ? '' : '; the service itself would take it'}`)]),
    ...(answerType === 'pdf'
      ? ['', `Answer ${success}: a PDF file, as bytes.`]
      : answer === null
        ? ['', `Answer ${success}: empty.`]
        : table(`Answer ${success}`, answer)),
    ...errors(operation),
  ];
}

function errors({ fieldCodes, refusals }: Operation): string[] {
  const lines = [
    ...Object.entries(fieldCodes).map(([field, code]) => `400 \`${code}\` (${field})`),
    ...Object.entries(refusals).flatMap(([status, codes]) => (codes.length === 0 ? [status] : codes.map((code) => `${status} \`${code}\``))),
  ];
  return lines.length === 0 ? [] : ['', `Errors: ${lines.join(', ')}.`];
}

function table(title: string, schema: z.ZodType | null): string[] {
  if (schema === null) return [];
  // zod's type allows booleans in the place of schemas; ours are made of objects.
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;
  const rows = [...fields(shape, '')];
  if (rows.length === 0) return ['', `${title}: ${typeOf(shape)}.`];
  const list = shape.type === 'array' ? `, a list of${limits(shape)}` : '';
  return ['', `${title}${list}:`, '', '| field | type | |', '|---|---|---|', ...rows];
}

/** One row for each field, those of objects inside it below. */
function* fields(shape: Shape, prefix: string): Generator<string> {
  for (const part of [shape, ...(shape.anyOf ?? []), ...(shape.oneOf ?? [])]) {
    if (part.items !== undefined && (part.items.properties !== undefined || part.items.anyOf !== undefined))
      yield* fields(part.items, prefix === '' ? '' : `${prefix.slice(0, -1)}[].`);
    for (const [name, field] of Object.entries(part.properties ?? {})) {
      const required = part.required?.includes(name) === true ? 'required' : '';
      const usual = field.default === undefined ? '' : `default ${JSON.stringify(field.default)}`;
      const notes = [required, usual, descriptionOf(field).replace(/\.$/, '')].filter(Boolean).join('; ');
      yield `| \`${prefix}${name}\` | ${typeOf(field).replaceAll('|', '\\|')} | ${notes} |`;
      yield* fields(field, `${prefix}${name}.`);
    }
  }
}

const descriptionOf = ({ description, anyOf = [] }: Shape): string => description ?? anyOf.map((one) => one.description).find((one) => one !== undefined) ?? '';

function typeOf(shape: Shape): string {
  const options = [...(shape.anyOf ?? []), ...(shape.oneOf ?? [])];
  if (options.length > 0) return [...new Set(options.map(typeOf))].join(' or ');
  if (shape.const !== undefined) return `\`${JSON.stringify(shape.const)}\``;
  if (shape.enum !== undefined) return shape.enum.map((one) => `\`${JSON.stringify(one)}\``).join(', ');
  if (shape.format === 'uuid') return 'UUID';
  if (shape.type === 'array') return `list of ${typeOf(shape.items ?? {})}${limits(shape)}`;
  const type = [shape.type ?? 'any'].flat().join(' or ');
  return `${type}${shape.format === undefined ? '' : ` (${shape.format})`}${limits(shape)}`;
}

function limits(shape: Shape): string {
  const least = shape.minimum ?? shape.minLength ?? shape.minItems;
  const most = shape.maximum ?? shape.maxLength ?? shape.maxItems;
  const from = least === undefined || least === Number.MIN_SAFE_INTEGER ? '' : String(least);
  const to = most === undefined || most === Number.MAX_SAFE_INTEGER ? '' : String(most);
  return from === '' && to === '' ? '' : ` ${from}…${to}`;
}
