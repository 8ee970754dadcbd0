import {
  Agent,
  request as httpRequest,
  type AgentOptions,
  type ClientRequest,
  type RequestOptions,
} from 'node:http';
import { Agent as TlsAgent, request as httpsRequest } from 'node:https';
import { certificateOf } from './tls/certificate';
import type { NodeTlsFiles } from './tls/node-tls-settings';

/**
 * All requests between processes and nodes start here. With TLS between nodes, both sides present a certificate of their
 * CA, and the server's certificate must name the requested host.
 */

/** Agent with keep-alive connections. New connections use the renewed certificate. */
export function createNodeAgent(tls: NodeTlsFiles | undefined, options: AgentOptions): Agent {
  return tls ? new TlsAgent(options) : new Agent(options);
}

/**
 * Starts a request to a node.
 * @throws Error if only one side has TLS between nodes
 */
export function requestNode(
  tls: NodeTlsFiles | undefined,
  url: string,
  options: RequestOptions = {},
): ClientRequest {
  const isHttps = new URL(url).protocol === 'https:';
  if (!tls) {
    if (isHttps)
      throw new Error(`The node at ${url} has TLS between nodes, this one does not: set INTERNAL_TLS_CERT`);
    return httpRequest(url, options);
  }
  if (!isHttps)
    throw new Error(
      `This node has TLS between nodes, the one at ${url} does not: set INTERNAL_TLS_CERT there`,
    );
  return httpsRequest(url, { ...options, ...certificateOf(tls).current() });
}
