import { AppError } from '@/lib/core/errors';

/** One sort value of the last row of a page. A cursor contains one value for each term of the sort order. */
export type CursorValue = string | number | boolean | null;

const MAX_CURSOR_LENGTH = 4_000;

/**
 * Encodes the sort values of a row as opaque text for the `cursor` parameter.
 * @param order signature of the sort order: each column followed by `+` (ascending) or `-` (descending)
 */
export function encodeCursor(order: string, values: readonly CursorValue[]): string {
  const bytes = new TextEncoder().encode(JSON.stringify([order, ...values]));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/**
 * Decodes a cursor that `encodeCursor` returned.
 * @throws AppError `bad_request` for any other text
 */
export function decodeCursor(text: string): { readonly order: string; readonly values: CursorValue[] } {
  const [order, ...values] = parseCursorValues(text);
  return { order: typeof order === 'string' ? order : '', values };
}

function parseCursorValues(text: string): CursorValue[] {
  const cursorError = new AppError('bad_request', {
    field: 'cursor',
    message: 'is not a cursor of this service',
  });
  if (text.length > MAX_CURSOR_LENGTH) throw cursorError;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    );
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (!Array.isArray(value) || !value.every(isCursorValue)) throw cursorError;
    return value;
  } catch {
    throw cursorError;
  }
}

function isCursorValue(value: unknown): value is CursorValue {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'string' && !value.includes('\0') && !/\p{Surrogate}/u.test(value);
}
