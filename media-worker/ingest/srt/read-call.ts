import {
  capabilityFlags,
  extensionTypes,
  type Handshake,
  parseCapabilities,
  parseText,
  rejections,
  type RejectionCode,
} from './handshake';
import { type KeyMaterial, parseKeyMaterial } from './key-material';
import { parseStreamId } from './stream-id';

const HANDSHAKE_VERSION = 5;
const MAX_STREAM_ID_BYTES = 512;

/** The request in the conclusion, the second and last handshake packet of a caller. */
export interface Call {
  readonly streamKey: string;
  /** Requested latency: time for which the server waits for lost packets, ms. */
  readonly requestedLatencyMs: number;
  /** Latency of the caller itself, ms. The response repeats it. */
  readonly callerLatencyMs: number;
  /** Key material of the caller; null without encryption. */
  readonly keyMaterial: KeyMaterial | null;
  /** The key material message as sent, which the response repeats; null without encryption. */
  readonly keyMaterialMessage: Buffer | null;
}

/** Parses the conclusion of a caller. Rejections do not depend on the stream key, which is checked later. */
export function parseCall({ version, extensions }: Handshake): Call | { readonly rejection: RejectionCode } {
  if (version !== HANDSHAKE_VERSION) return { rejection: rejections.version };
  const capabilities = parseCapabilities(extensions.get(extensionTypes.request) ?? Buffer.alloc(0));
  if (!capabilities) return { rejection: rejections.rogue };
  if ((capabilities.flags & capabilityFlags.stream) !== 0) return { rejection: rejections.messageApi };
  const congestion = parseText(extensions.get(extensionTypes.congestion) ?? Buffer.alloc(0));
  if (congestion !== '' && congestion !== 'live') return { rejection: rejections.congestion };
  if (extensions.has(extensionTypes.filter)) return { rejection: rejections.filter };
  if (extensions.has(extensionTypes.group)) return { rejection: rejections.group };
  const streamId = extensions.get(extensionTypes.streamId) ?? Buffer.alloc(0);
  if (streamId.length > MAX_STREAM_ID_BYTES) return { rejection: rejections.badRequest };
  const { streamKey, isPublish } = parseStreamId(parseText(streamId));
  if (!isPublish) return { rejection: rejections.badMode };
  if (streamKey === '') return { rejection: rejections.badRequest };
  const keyMaterialMessage = extensions.get(extensionTypes.keyMaterialRequest) ?? null;
  const keyMaterial = keyMaterialMessage && parseKeyMaterial(keyMaterialMessage);
  if (keyMaterialMessage && !keyMaterial) return { rejection: rejections.cipher };
  return {
    streamKey,
    requestedLatencyMs: capabilities.sendLatencyMs,
    callerLatencyMs: capabilities.receiveLatencyMs,
    keyMaterial,
    keyMaterialMessage,
  };
}
