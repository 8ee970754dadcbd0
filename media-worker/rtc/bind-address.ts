const wildcardHosts: readonly string[] = ['0.0.0.0', '::'];

/** The address to bind the port to, by the value of HOST; undefined: every interface. */
export const bindAddressOf = (host: string): string | undefined =>
  wildcardHosts.includes(host) ? undefined : host;
