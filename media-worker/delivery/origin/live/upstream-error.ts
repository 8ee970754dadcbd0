/**
 * `unreachable`: no connection, or it broke. `timeout`: no complete answer in time. `too_large`: larger than any valid
 * answer. `busy`: too many requests wait.
 */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  constructor(readonly kind: 'unreachable' | 'timeout' | 'too_large' | 'busy') {
    super(`Upstream is ${kind}`);
  }
}
