import { CodecDataError } from './bit-reader';

/**
 * The result of `parse`; null if it throws CodecDataError, because decoders ignore an invalid configuration and
 * keep the previous one.
 */
export function parseOrNull<Result>(parse: () => Result): Result | null {
  try {
    return parse();
  } catch (error) {
    if (error instanceof CodecDataError) return null;
    throw error;
  }
}
