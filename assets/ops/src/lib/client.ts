/** Calls by method and path, typed by the server's document: the types are openapi-fetch's, what is sent is written here. */

import type { Client } from 'openapi-fetch';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Values = Record<string, unknown>;
type Asked = RequestInit & { params?: { path?: Values; query?: Values; header?: Values }; body?: unknown };
type Answered = { data?: unknown; error?: unknown; response: Response };

/** `base` stands before each path; `send` does what `fetch` does. */
export function client<Paths extends {}>(base: string, send: (request: Request) => Promise<Response>): Pick<Client<Paths>, Method> {
  const by = (method: Method) => async (path: string, { params = {}, body, headers, ...init }: Asked = {}): Promise<Answered> => {
    const request = new Request(base + withValues(path, params.path) + asQuery(params.query), {
      credentials: 'same-origin',
      ...init,
      method,
      headers: given({ Accept: 'application/json', ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers, ...params.header }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const response = await send(request);
    const text = await response.text();
    if (response.ok) return { data: text === '' ? undefined : JSON.parse(text), response };
    return { error: parsed(text), response };
  };
  return { GET: by('GET'), POST: by('POST'), PUT: by('PUT'), DELETE: by('DELETE') } as Pick<Client<Paths>, Method>;
}

/** The path with a value in the place of each `{name}`. */
function withValues(path: string, values: Values = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

function asQuery(values: Values = {}): string {
  const pairs = Object.entries(given(values)).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

/** Without what is left open. */
function given(values: Values): Record<string, string> {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined || value === null ? [] : [[name, String(value)]])));
}

/** What something between here and the server has answered may be no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
