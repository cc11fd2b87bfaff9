/**
 * `GET /v1/docs`: the document as a page, without a script and without anything from another host.
 */
import { createHash } from 'node:crypto';

interface Described {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

interface JsonSchema {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
    readonly schema: { readonly description?: string };
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
  };
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

const style = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; background: #fff }
h2 { margin-top: 3rem; border-top: 1px solid #ccc; padding-top: 1rem } code, pre { font: 14px/1.5 ui-monospace, monospace }
h2 code { font-size: 20px; font-weight: 700 } table { border-collapse: collapse; width: 100%; margin: .5rem 0 1.5rem }
td, th { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid #ddd }
`;

const styleHash = createHash('sha256').update(style).digest('base64');
export const documentPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

/** @param document as `openApi` makes it */
export function documentPage(document: object): string {
  // `openApi` types the document as plain JSON. This is the shape that it makes.
  const { info, paths, components } = document as Described;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => section(method, path, operation)),
  );
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `<h3 id="${escaped(name)}">${escaped(name)}</h3>${block(schema)}`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(info.title)}</title><style>${style}</style>
<h1>${escaped(info.title)}</h1><p>${escaped(info.description)}</p><p>Version ${escaped(info.version)}. For programs: <a href="/v1/openapi.json">/v1/openapi.json</a>.</p>
${operations.join('\n')}<h2>What is sent and answered</h2>${schemas.join('\n')}</html>`;
}

function section(
  method: string,
  path: string,
  { summary, description, parameters, requestBody, responses }: DescribedOperation,
): string {
  const sent = parameters.map(({ name, in: place, required, description: says, schema }) => [
    name,
    `${place}${required ? ', required' : ''}`,
    says ?? schema.description ?? '',
  ]);
  const body = requestBody?.content['application/json']?.schema;
  return `<h2><code>${escaped(method.toUpperCase())} ${escaped(path)}</code></h2><p><strong>${escaped(summary)}.</strong> ${escaped(description)}</p>
${sent.length === 0 ? '' : table(sent)}${body === undefined ? '' : block(body)}${table(Object.entries(responses).map(([status, { description: says }]) => [status, says]))}`;
}

const table = (rows: readonly (readonly string[])[]): string =>
  `<table>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${marked(cell)}</td>`).join('')}</tr>`).join('')}</table>`;
const block = ({ properties = {}, required = [] }: JsonSchema): string =>
  table(
    Object.entries(properties).map(([name, field]) => [
      name,
      `${typeOf(field)}${required.includes(name) ? '' : ', may be left out'}`,
      field.description ?? '',
    ]),
  );

/** A type in a few words, e.g. `list of { field, rule }`. */
function typeOf({ enum: values, anyOf, type, format, items, properties }: JsonSchema): string {
  if (values !== undefined) return values.join(' | ');
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' | ');
  if (items !== undefined) return `list of ${typeOf(items)}`;
  if (properties !== undefined) return `{ ${Object.keys(properties).join(', ')} }`;
  return format ?? type ?? 'anything';
}
const marked = (text: string): string =>
  escaped(text)
    .replaceAll('\n\n', '<br><br>')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>');
const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
