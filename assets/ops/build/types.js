/**
 * Writes what the sources name without saying it themselves:
 *
 * - the bounds that the server's OpenAPI document gives to requests, by domain, into `src/bounds/<domain>.ts`, and those of the
 *   house into `src/bounds/house.ts`: `import { NewPlant } from '../../bounds/plants'`, then `NewPlant.title.maxLength`. They
 *   are kept with the sources, because the app is built before the server is. `--check` leaves them, and fails where one is not
 *   what the document says;
 * - the types of the catalogues of all sections into `generated/messages.d.ts`, so that a misspelt key does not compile.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const BOUNDS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'];
const HEAD = `/** The bounds of requests as the server's document says them. \`npm run types\` writes this file. */\n`;

const checks = process.argv.includes('--check');
const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8'));
let fits = true;

const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
const domains = readdirSync('src/pages').filter((name) => operations.some(({ operationId }) => operationId.startsWith(`${name}_`)));
const ofDomain = ({ operationId }) => domains.find((name) => operationId.startsWith(`${name}_`));

mkdirSync('src/bounds', { recursive: true });
for (const domain of [...domains, undefined]) {
  const file = `src/bounds/${domain ?? 'house'}.ts`;
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const now = written(boundsOfRequests(operations.filter((operation) => ofDomain(operation) === domain)));
  if (now === before) continue;
  if (checks) {
    console.error(`${file} is not what the server's document says: run \`npm run types\``);
    fits = false;
  } else if (now === '') rmSync(file);
  else writeFileSync(file, now);
}
writeFileSync('generated/messages.d.ts', catalogues());
process.exitCode = fits ? 0 : 1;

/** The type of every catalogue, by its section. */
function catalogues() {
  const sections = ['house', 'shell', ...readdirSync('src/pages').map((name) => `pages/${name}`)].filter((name) => existsSync(`src/${name}/messages.json`));
  const types = sections.map((name) => `  ${name.split('/').at(-1)}: typeof import('../src/${name}/messages.json');\n`);
  return `/** The sentences of every section, by room and key. \`npm run types\` writes this file. */\nexport interface Catalogues {\n${types.join('')}}\n`;
}

/** By operation what its query may be, and by the name of a body what its fields may be. */
function boundsOfRequests(operations) {
  const found = new Map();
  for (const { operationId, parameters = [], requestBody } of operations) {
    const query = parameters.filter((parameter) => parameter.in === 'query');
    found.set(operationId, Object.fromEntries(query.map(({ name, schema }) => [name, boundsOf(schema)])));
    const reference = requestBody?.content['application/json']?.schema.$ref;
    if (reference) found.set(reference.split(/[./]/).at(-1), boundsOfFields(resolved({ $ref: reference })));
  }
  const all = [...found].map(([name, fields]) => [name, withoutEmpty(fields)]);
  return all.filter(([, fields]) => Object.keys(fields).length > 0).sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Where one field decides what others may be, their bounds stand below it, by each of its values. */
function boundsOfFields({ properties = {}, oneOf = [] }) {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, boundsOf(schema)]));
  for (const variant of oneOf) {
    const decides = Object.entries(variant.properties ?? {}).find(([, schema]) => schema.enum?.length === 1);
    if (decides) fields[decides[0]] = { ...fields[decides[0]], [decides[1].enum[0]]: withoutEmpty(boundsOfFields(variant)) };
  }
  return fields;
}

/** The bounds of a value, whichever of several forms it has; below them those of its items, and of its fields by their names. */
function boundsOf(schema) {
  const { items, properties = {}, allOf = [], oneOf = [], anyOf = [], ...own } = resolved(schema);
  const found = Object.fromEntries(BOUNDS.filter((bound) => bound in own).map((bound) => [bound, own[bound]]));
  const ofItems = items ? withoutEmpty({ items: boundsOf(items) }) : {};
  const ofFields = withoutEmpty(Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, boundsOf(field)])));
  return Object.assign({}, ...[...allOf, ...oneOf, ...anyOf].map(boundsOf), found, ofItems, ofFields);
}

function resolved(schema) {
  return schema.$ref ? resolved(document.components.schemas[schema.$ref.split('/').at(-1)]) : schema;
}

function withoutEmpty(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, bounds]) => Object.keys(bounds).length > 0));
}

function written(all) {
  if (all.length === 0) return '';
  const fields = (bounds) => Object.entries(bounds).map(([name, of]) => `  ${name}: ${literal(of)},\n`).join('');
  return HEAD + all.map(([name, bounds]) => `\nexport const ${name} = {\n${fields(bounds)}} as const;\n`).join('');
}

function literal(value) {
  if (typeof value !== 'object') return String(value);
  return `{ ${Object.entries(value).map(([name, of]) => `${name}: ${literal(of)}`).join(', ')} }`;
}
