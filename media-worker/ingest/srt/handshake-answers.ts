import { isIPv4 } from 'node:net';
import { parseAddress, unmapAddress } from '@/lib/infra/egress/ip-address';
import {
  formatCapabilities,
  capabilityFlags,
  extensionFlags,
  extensionTypes,
  type Handshake,
  formatHandshake,
  handshakeTypes,
  SRT_MAGIC,
  reverseWords,
  type RejectionCode,
} from './handshake';
import type { Call } from './read-call';
import { formatControlPacket, controlTypes } from './srt-packet';

const VERSION = 5;
/** Version of libsrt whose features are implemented. */
const SRT_VERSION = 0x01_05_00;
const MTU = 1_500;
const OFFERED_CAPABILITIES =
  capabilityFlags.timedSending |
  capabilityFlags.timedReceiving |
  capabilityFlags.encryption |
  capabilityFlags.tooLateDrop |
  capabilityFlags.periodicLossReports |
  capabilityFlags.retransmissionFlag;

/**
 * Creates the response to the first packet of a caller, of any version. The next packet must return the cookie,
 * which proves the address of the caller.
 */
export function createInductionResponse(induction: Handshake, cookie: number, ip: string): Buffer {
  return createResponse(induction, {
    version: VERSION,
    extensionField: SRT_MAGIC,
    type: handshakeTypes.induction,
    socketId: induction.socketId,
    cookie,
    peerAddress: formatPeerAddress(ip),
  });
}

export function createRejectionResponse(conclusion: Handshake, code: RejectionCode): Buffer {
  return createResponse(conclusion, { type: code, extensionField: 0 });
}

interface AcceptedCall {
  readonly socketId: number;
  readonly call: Call;
  /** How long the server waits for lost packets, ms. */
  readonly latencyMs: number;
  readonly flowWindow: number;
  readonly ip: string;
}

export function createAcceptingResponse(
  conclusion: Handshake,
  { socketId, call, latencyMs, flowWindow, ip }: AcceptedCall,
): Buffer {
  const content = formatCapabilities({
    version: SRT_VERSION,
    flags: OFFERED_CAPABILITIES,
    receiveLatencyMs: latencyMs,
    sendLatencyMs: call.callerLatencyMs,
  });
  const extensions = new Map([[extensionTypes.response as number, content]]);
  if (call.keyMaterialMessage) extensions.set(extensionTypes.keyMaterialResponse, call.keyMaterialMessage);
  const extensionField = extensionFlags.request | (call.keyMaterialMessage ? extensionFlags.keyMaterial : 0);
  return createResponse(conclusion, {
    version: VERSION,
    extensionField,
    socketId,
    extensions,
    peerAddress: formatPeerAddress(ip),
    flowWindow: Math.min(conclusion.flowWindow, flowWindow),
  });
}

function createResponse(call: Handshake, changes: Partial<Handshake>): Buffer {
  const mtu = Math.min(call.mtu, MTU);
  const body = formatHandshake({ ...call, encryption: 0, mtu, extensions: new Map(), ...changes });
  const fields = { type: controlTypes.handshake, subtype: 0, info: 0, timestampUs: 0 };
  return formatControlPacket({ ...fields, destination: call.socketId, body });
}

/** The address of the caller in the format of libsrt: the bytes of each word in reverse order. */
function formatPeerAddress(ip: string): Buffer {
  const field = Buffer.alloc(16);
  const address = unmapAddress(ip);
  Buffer.from(parseAddress(address)?.toByteArray() ?? []).copy(field, 0, 0, isIPv4(address) ? 4 : 16);
  return reverseWords(field);
}
