/** A request for the metrics of a process, as its connection and headers show it. */
export interface MetricsRequest {
  /** Whether the bearer token is METRICS_TOKEN; null when that is not set. */
  readonly token: boolean | null;
  /** Whether the other end of the connection is this machine. */
  readonly local: boolean;
  /** Host header; a browser or proxy sends the name under which the service is known. */
  readonly host: string | undefined;
  /** Names of the headers, in lower case. */
  readonly headers: readonly string[];
}

/**
 * Each of these headers proves that a proxy forwards the request, so the peer address says nothing about the
 * client.
 */
const proxyHeaders =
  /^(forwarded|via|x-real-ip|x-forwarded-\w+|x-client-ip|cf-connecting-ip|true-client-ip)$/;
const localHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** `hidden`: there is nothing to try a token on, so the path does not exist. */
export function metricsAccess({
  token,
  local,
  host,
  headers,
}: MetricsRequest): 'allowed' | 'unauthorized' | 'hidden' {
  if (token !== null) return token ? 'allowed' : 'unauthorized';
  const direct = local && localHost.test(host ?? '') && !headers.some((name) => proxyHeaders.test(name));
  return direct ? 'allowed' : 'hidden';
}
