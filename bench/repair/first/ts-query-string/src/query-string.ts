export type Query = Record<string, string | string[]>;

const decode = (text: string): string => decodeURIComponent(text.replace('+', ' '));

const encode = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+');

export function parseQuery(query: string): Query {
  const result: Query = {};
  const pairs = query.replace(/^\?/, '').split('&');

  for (const pair of pairs) {
    if (pair === '') continue;
    const [rawKey, rawValue = ''] = pair.split('=');
    const key = decode(rawKey);
    const value = decode(rawValue);
    const known = result[key];
    if (known === undefined) result[key] = value;
    else if (Array.isArray(known)) known.push(value);
    else result[key] = [known, value];
  }

  return result;
}

export function formatQuery(query: Query): string {
  return Object.entries(query)
    .flatMap(([key, value]) => [value].flat().map((one) => `${encode(key)}=${encode(one)}`))
    .join('&');
}
