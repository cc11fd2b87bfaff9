// Makes docs/settings.md: every setting, from the schema of the settings file.
// `npm run settings-schema` writes it.
import './node-version.mjs';
import { secretElsewhereSays } from '../main/core/domain/secret-elsewhere.ts';
import { settingsJsonSchema } from '../main/counter/settings/json-schema.ts';

const code = (text) => `\`${text}\``;
const asJson = (value) => code(JSON.stringify(value));
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** The alternatives of a schema, however deep they are nested. */
const alternativesOf = (schema) =>
  (schema.anyOf ?? schema.oneOf)?.flatMap((one) => alternativesOf(one) ?? [one]);
const isSecret = (schema) =>
  (schema.anyOf ?? []).some((one) => one.properties?.credential !== undefined);
/**
 * What is an object with fields of its own: alternatives of a wallet or till, a lane of the list,
 * or the object itself.
 */
function objectsIn(schema) {
  if (isSecret(schema)) return [];
  const alternatives = alternativesOf(schema) ?? [schema.type === 'array' ? schema.items : schema];
  return alternatives.filter((one) => one.type === 'object');
}

function numbersOf({ minimum, maximum }) {
  if (minimum === undefined && maximum === undefined) return 'a number';
  if (maximum === undefined || maximum === Number.MAX_SAFE_INTEGER)
    return `a number from ${minimum} on`;
  return `a number from ${minimum} to ${maximum}`;
}

const textOf = ({ format, maxLength }) => {
  if (format === 'uri') return 'an address';
  if (format === 'uuid') return 'a UUID';
  return maxLength === undefined ? 'a text' : `a text, at most ${maxLength} characters`;
};

/** What may stand there, in words. */
function takes(schema) {
  if (isSecret(schema)) return '[a secret](configure.md#secrets)';
  if (schema.const !== undefined) return asJson(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(asJson).join(', ');
  const alternatives = alternativesOf(schema);
  if (alternatives !== undefined) return [...new Set(alternatives.map(takes))].join(' or ');
  switch (schema.type) {
    case 'boolean':
      return '`true`, `false`';
    case 'null':
      return '`null`';
    case 'array':
      return `a list: ${takes(schema.items)}`;
    case 'integer':
    case 'number':
      return numbersOf(schema);
    case 'string':
      return textOf(schema);
    default:
      return 'settings of its own, below';
  }
}

/** The description without what `configure.md` says of every secret. */
const withoutSecretForms = (text) =>
  text.replace(new RegExp(`${RegExp.escape(secretElsewhereSays)}.*$`, 's'), '').trim();

function rowsOf(object, prefix, at) {
  return Object.entries(object.properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`;
    const [inner, ...others] = alternativesOf(schema) === undefined ? objectsIn(schema) : [];
    const described = withoutSecretForms(
      schema.description ?? (isSecret(schema) ? '' : inner?.description) ?? '',
    );
    if (described === '' && !isSecret(schema))
      throw new Error(`main/counter/settings: ${at}${path} has no description`);
    const isRequired = object.required?.includes(name) === true && schema.default === undefined;
    const otherwise =
      schema.default === undefined ? (isRequired ? 'required' : '') : asJson(schema.default);
    const row = `| ${code(path)} | ${cell(takes(schema))} | ${cell(otherwise)} | ${cell(described === '' ? 'The secret, or where it is.' : described)} |`;
    const isList = schema.type === 'array';
    return inner === undefined || others.length > 0 || isList
      ? [row]
      : [row, ...rowsOf(inner, `${path}.`, at)];
  });
}

const table = (rows) =>
  ['| setting | takes | default | what it does |', '|---|---|---|---|', ...rows].join('\n');

/** What tells an alternative from the others, such as `service` "epayment". */
function markOf({ properties }) {
  const names = ['simulator', 'service', 'protocol', 'transport'];
  const constants = names.filter((name) => properties[name]?.const !== undefined);
  return constants.map((name) => `${code(name)} ${asJson(properties[name].const)}`).join(', ');
}

const isChoice = (schema) => alternativesOf(schema) !== undefined && objectsIn(schema).length > 1;

/** The sections of what an object holds that is a choice between objects, such as a till. */
const choicesIn = (object, at) =>
  Object.entries(object.properties).flatMap(([name, schema]) =>
    isChoice(schema) ? choiceSections(`${at}${name}`, schema) : [],
  );

function choiceSections(path, schema) {
  return objectsIn(schema).map(
    (one) => `### ${code(path)} with ${markOf(one)}\n\n${table(rowsOf(one, '', `${path}.`))}`,
  );
}

function sectionOf(name, schema) {
  const parts = [`## ${code(name)}`, withoutSecretForms(schema.description ?? '')];
  if (isChoice(schema))
    return [...parts, ...choiceSections(name, schema)].filter((part) => part !== '').join('\n\n');
  const [object] = objectsIn(schema);
  const inner = table(rowsOf(object, '', `${name}.`));
  return [...parts, inner, ...choicesIn(object, `${name}.`)]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The page as the schema is now. @throws Error that names a setting without a description */
export function settingsPage() {
  const schema = JSON.parse(settingsJsonSchema());
  const { $schema: _, formerWallet, ...all } = schema.properties;
  const sections = Object.entries(all).filter(([, one]) => objectsIn(one).length > 0);
  const plain = rowsOf(
    {
      properties: Object.fromEntries(
        Object.entries(all).filter(([, one]) => objectsIn(one).length === 0),
      ),
    },
    '',
    '',
  );
  return `# Every setting

For whoever writes or reads \`settings.json\`. [configure.md](configure.md) says how to do it by task, with examples. Setup writes the same file.

Made from \`main/counter/settings/schema.ts\` by \`npm run settings-schema\`; a test says when it is out of date. \`assets/settings.schema.json\` describes the same for an editor: name it as \`$schema\`. A setting without a default is left out unless it is required.

${table(plain)}

${sections.map(([name, one]) => sectionOf(name, one)).join('\n\n')}

## \`formerWallet\`

${formerWallet.description} It takes what [\`wallet\`](#wallet) takes, but no simulator.
`;
}
