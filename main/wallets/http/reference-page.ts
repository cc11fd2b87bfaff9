/** The reference documentation of a service's clients, made from the operations' declarations. */
import { z } from 'zod';
import {
  type InterfaceDescription,
  type Operation,
  operationPath,
  pathParameterNames,
} from './operation.ts';
import type { TransportProfile } from './transport.ts';

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

export interface ReferenceOptions {
  readonly title: string;
  /** Below the sentences that hold for every service. */
  readonly about: readonly string[];
  readonly catalogue: readonly Operation[];
  readonly profile: Pick<TransportProfile, 'paths'>;
  /** How an interface is told who calls. */
  readonly proofs: Readonly<Partial<Record<InterfaceDescription['authentication'], string>>>;
  /** The sentence about operations that are polled. */
  readonly polled: string;
  /** The last chapter, if there is one. */
  readonly last?: { readonly title: string; readonly lines: readonly string[] };
}

const idempotency: Readonly<Record<Operation['idempotency'], string>> = {
  natural: 'repeated freely on network errors and 5xx',
  headerKey: 'repeated with the same `idempotencyKey` (given as option of the call) only',
  bodyKey: 'repeated with the same `idempotencyKey` (in the body) only',
  none: 'sent once; ask what became of it when the outcome is unknown',
};

export function referencePage(options: ReferenceOptions): string {
  const { title, about, catalogue, last } = options;
  const interfaces = [...new Set(catalogue.map((operation) => operation.interface))];
  return `${[
    `# ${title}`,
    '',
    'Made from the declarations by `npm run wallet-reference`; do not edit. Amounts are integers in minor units inside; the notation in which an interface writes them is applied at its edge.',
    '',
    [
      'A call is `client.<operation>({ …path parameters, query, body }, options)`, with `client = clientOf(transport, operations)`.',
      'It throws `InvalidRequestError` before anything is sent;',
      '`ServiceRefusedError` or `CredentialsRefusedError` when nothing was done;',
      '`ServiceUnreachableError` or `UnexpectedAnswerError` when the outcome is not known.',
    ].join(' '),
    '',
    ...about.flatMap((sentence) => [sentence, '']),
    ...[...interfaces, ...(last === undefined ? [] : [last])].map(
      (chapter) => `- [${chapter.title}](#${anchor(chapter.title)})`,
    ),
    ...interfaces.flatMap((described) => chapter(described, options)),
    ...(last === undefined ? [] : ['', `## ${last.title}`, '', ...last.lines]),
  ].join('\n')}\n`;
}

const anchor = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

function chapter(described: InterfaceDescription, options: ReferenceOptions): string[] {
  const { title, version, authentication, source, codes } = described;
  const { catalogue, proofs } = options;
  const codeRows = Object.entries(codes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  const codeTable = [
    '',
    `### Error codes of ${title.toLowerCase()}`,
    '',
    '| code | meaning |',
    '|---|---|',
    ...codeRows,
  ];
  return [
    '',
    `## ${title}`,
    '',
    `Version ${version}. Authenticated by ${proofs[authentication] ?? authentication}. Source: ${source}.`,
    ...catalogue
      .filter((operation) => operation.interface === described)
      .flatMap((operation) => section(operation, options)),
    ...(codeRows.length === 0 ? [] : codeTable),
  ];
}

function section(operation: Operation, options: ReferenceOptions): string[] {
  const { name, says, method, polled, timeoutMs, rules, answer, answerType, success, source } =
    operation;
  const manners = [
    polled ? options.polled : idempotency[operation.idempotency],
    `time-out ${timeoutMs / 1000} s`,
  ];
  const parameters = pathParameterNames(operation.path);
  return [
    '',
    `### ${name}`,
    '',
    says,
    '',
    `\`${method} ${operationPath(options.profile, operation)}\` · ${manners.join(' · ')} · ${source}`,
    ...(parameters.length === 0
      ? []
      : [
          '',
          `Path: ${parameters.map((parameter) => `\`${parameter}\` (${operation.parameters[parameter]?.says.replace(/^must be /, '') ?? 'UUID'})`).join(', ')}.`,
        ]),
    ...table('Query', operation.query),
    ...table('Body', operation.body),
    ...(rules.length === 0
      ? []
      : [
          '',
          ...rules.map(
            (rule) =>
              `- ${rule.says} (${rule.source})${rule.refusedByService ? '' : '; the service itself would take it'}`,
          ),
        ]),
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
    ...Object.entries(refusals).flatMap(([status, codes]) =>
      codes.length === 0 ? [status] : codes.map((code) => `${status} \`${code}\``),
    ),
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
    if (
      part.items !== undefined &&
      (part.items.properties !== undefined || part.items.anyOf !== undefined)
    )
      yield* fields(part.items, prefix === '' ? '' : `${prefix.slice(0, -1)}[].`);
    for (const [name, field] of Object.entries(part.properties ?? {})) {
      const required = part.required?.includes(name) === true ? 'required' : '';
      const usual = field.default === undefined ? '' : `default ${JSON.stringify(field.default)}`;
      const notes = [required, usual, descriptionOf(field).replace(/\.$/, '')]
        .filter(Boolean)
        .join('; ');
      yield `| \`${prefix}${name}\` | ${typeOf(field).replaceAll('|', '\\|')} | ${notes} |`;
      yield* fields(field, `${prefix}${name}.`);
    }
  }
}

const descriptionOf = ({ description, anyOf = [] }: Shape): string =>
  description ?? anyOf.map((one) => one.description).find((one) => one !== undefined) ?? '';

function typeOf(shape: Shape): string {
  const options = [...(shape.anyOf ?? []), ...(shape.oneOf ?? [])];
  if (options.length > 0) return [...new Set(options.map(typeOf))].join(' or ');
  if (shape.const !== undefined) return `\`${JSON.stringify(shape.const)}\``;
  if (shape.enum !== undefined)
    return shape.enum.map((one) => `\`${JSON.stringify(one)}\``).join(', ');
  if (shape.format === 'uuid') return 'UUID';
  if (shape.type === 'array') return `list of ${typeOf(shape.items ?? {})}${limits(shape)}`;
  const type = [shape.type ?? 'any'].flat().join(' or ');
  return `${type}${shape.format === undefined ? '' : ` (${shape.format})`}${limits(shape)}`;
}

function limits(shape: Shape): string {
  const min = shape.minimum ?? shape.minLength ?? shape.minItems;
  const max = shape.maximum ?? shape.maxLength ?? shape.maxItems;
  const from = min === undefined || min === Number.MIN_SAFE_INTEGER ? '' : String(min);
  const to = max === undefined || max === Number.MAX_SAFE_INTEGER ? '' : String(max);
  return from === '' && to === '' ? '' : ` ${from}…${to}`;
}
