import { CodecConfigError } from './bit-reader';

/** The result of `parse`; null for an invalid configuration, after which a decoder keeps the previous one. */
export function readableOnly<Result>(parse: () => Result): Result | null {
  try {
    return parse();
  } catch (error) {
    if (error instanceof CodecConfigError) return null;
    throw error;
  }
}
