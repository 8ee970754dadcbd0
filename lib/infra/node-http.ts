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
 * Every request to a process of this or another node starts here. With TLS between nodes, both ends show a certificate
 * that their CA signed, and the other end's has to name the host that was asked.
 */

/** Connections that are kept. A renewed certificate is used by the next request. */
export function nodeAgent(tls: NodeTlsFiles | undefined, options: AgentOptions): Agent {
  return tls ? new TlsAgent(options) : new Agent(options);
}

/** @throws Error when one end has TLS between nodes and the other one has not */
export function requestNode(
  tls: NodeTlsFiles | undefined,
  url: string,
  options: RequestOptions = {},
): ClientRequest {
  const secure = new URL(url).protocol === 'https:';
  if (!tls) {
    if (secure)
      throw new Error(`The node at ${url} has TLS between nodes, this one does not: set INTERNAL_TLS_CERT`);
    return httpRequest(url, options);
  }
  if (!secure)
    throw new Error(
      `This node has TLS between nodes, the one at ${url} does not: set INTERNAL_TLS_CERT there`,
    );
  return httpsRequest(url, { ...options, ...certificateOf(tls).current() });
}
