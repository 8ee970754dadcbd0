/** A request for the metrics of a process, from its connection and headers. */
export interface MetricsRequest {
  /** Whether the bearer token of the request equals METRICS_TOKEN; null if METRICS_TOKEN is not set. */
  readonly isTokenValid: boolean | null;
  /** Whether the peer address is this machine. */
  readonly isLocal: boolean;
  /** Host header; browsers and proxies send the public name of the service. */
  readonly host: string | undefined;
  /** Names of the headers, in lower case. */
  readonly headers: readonly string[];
}

/** Headers that prove that a proxy forwarded the request, so that the peer address is not the address of the client. */
const proxyHeaders =
  /^(forwarded|via|x-real-ip|x-forwarded-\w+|x-client-ip|cf-connecting-ip|true-client-ip)$/;
const localHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/**
 * Decides whether a request gets the metrics. Without METRICS_TOKEN, only requests from this machine get them. `hidden`: the
 * response is 404, as if there were no metrics.
 */
export function metricsAccess({
  isTokenValid,
  isLocal,
  host,
  headers,
}: MetricsRequest): 'allowed' | 'unauthorized' | 'hidden' {
  if (isTokenValid !== null) return isTokenValid ? 'allowed' : 'unauthorized';
  const isDirect = isLocal && localHost.test(host ?? '') && !headers.some((name) => proxyHeaders.test(name));
  return isDirect ? 'allowed' : 'hidden';
}
