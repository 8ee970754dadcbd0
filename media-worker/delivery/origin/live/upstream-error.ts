/** `unreachable`: no connection, or it broke. `timeout`: no whole answer in time. `too_large`: more than anything we serve. `busy`: too many are waiting. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  constructor(readonly kind: 'unreachable' | 'timeout' | 'too_large' | 'busy') {
    super(`Upstream is ${kind}`);
  }
}
