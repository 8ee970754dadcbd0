import { parseOrigin } from '@/lib/core/origin';

export interface TypedOrigins {
  origins: string[];
  /** What is not an origin, with the reason. */
  error: string | undefined;
}

/** Reads what was typed or pasted: origins separated by spaces, commas or lines, in their one spelling. */
export function readTypedOrigins(text: string): TypedOrigins {
  const origins = new Set<string>();
  let error: string | undefined;
  for (const part of text.split(/[\s,]+/).filter(Boolean)) {
    const origin = part === '*' ? '*' : parseOrigin(part.replace(/\/$/, ''));
    if (origin) origins.add(origin);
    else error ??= reasonFor(part);
  }
  return { origins: [...origins], error };
}

function reasonFor(part: string): string {
  const shown = part.length > 60 ? `${part.slice(0, 60)}…` : part;
  if (!/^https?:\/\//i.test(part)) return `“${shown}” must start with https:// or http://`;
  if (part.includes('*')) return `“${shown}”: use * on its own, not as part of a host name`;
  if (URL.canParse(part) && new URL(part).pathname !== '/') {
    return `“${shown}” must not have a path: use ${new URL(part).origin}`;
  }
  return `“${shown}” must be scheme://host[:port], for example https://example.com`;
}
