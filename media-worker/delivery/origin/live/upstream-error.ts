/**
 * `unreachable`: no connection, or it broke. `timeout`: no whole answer in time. `too_large`: more than we ever serve.
 * `busy`: too many requests wait.
 */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  constructor(readonly kind: 'unreachable' | 'timeout' | 'too_large' | 'busy') {
    super(`Upstream is ${kind}`);
  }
}
