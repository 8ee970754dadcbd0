import { CodecConfigError } from './bit-reader';

/** Null for a configuration that cannot be read: a decoder keeps the previous one. */
export function readableOnly<Result>(parse: () => Result): Result | null {
  try {
    return parse();
  } catch (error) {
    if (error instanceof CodecConfigError) return null;
    throw error;
  }
}
