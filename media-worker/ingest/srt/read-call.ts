import {
  capabilityFlags,
  extensionTypes,
  type Handshake,
  readCapabilities,
  readText,
  rejections,
  type RejectionCode,
} from './handshake';
import { type KeyMaterial, readKeyMaterial } from './key-material';
import { readStreamId } from './stream-id';

const VERSION = 5;
const MAX_STREAM_ID_BYTES = 512;

/** The request in a caller's conclusion. */
export interface Call {
  readonly streamKey: string;
  /** Requested latency: how long the server waits for lost packets, ms. */
  readonly latencyMs: number;
  /** Latency of the caller itself, ms; the answer repeats it. */
  readonly ownLatencyMs: number;
  /** Null without encryption. */
  readonly keyMaterial: KeyMaterial | null;
  /** The raw message, which the answer repeats. */
  readonly keyMaterialMessage: Buffer | null;
}

/** Reads the conclusion of a caller. Rejections do not depend on the key, which is checked later. */
export function readCall({ version, extensions }: Handshake): Call | { readonly rejection: RejectionCode } {
  if (version !== VERSION) return { rejection: rejections.version };
  const capabilities = readCapabilities(extensions.get(extensionTypes.request) ?? Buffer.alloc(0));
  if (!capabilities) return { rejection: rejections.rogue };
  if ((capabilities.flags & capabilityFlags.stream) !== 0) return { rejection: rejections.messageApi };
  const congestion = readText(extensions.get(extensionTypes.congestion) ?? Buffer.alloc(0));
  if (congestion !== '' && congestion !== 'live') return { rejection: rejections.congestion };
  if (extensions.has(extensionTypes.filter)) return { rejection: rejections.filter };
  if (extensions.has(extensionTypes.group)) return { rejection: rejections.group };
  const streamId = extensions.get(extensionTypes.streamId) ?? Buffer.alloc(0);
  if (streamId.length > MAX_STREAM_ID_BYTES) return { rejection: rejections.badRequest };
  const { streamKey, isPublish } = readStreamId(readText(streamId));
  if (!isPublish) return { rejection: rejections.badMode };
  if (streamKey === '') return { rejection: rejections.badRequest };
  const keyMaterialMessage = extensions.get(extensionTypes.keyMaterialRequest) ?? null;
  const keyMaterial = keyMaterialMessage && readKeyMaterial(keyMaterialMessage);
  if (keyMaterialMessage && !keyMaterial) return { rejection: rejections.cipher };
  return {
    streamKey,
    latencyMs: capabilities.sendLatencyMs,
    ownLatencyMs: capabilities.receiveLatencyMs,
    keyMaterial,
    keyMaterialMessage,
  };
}
