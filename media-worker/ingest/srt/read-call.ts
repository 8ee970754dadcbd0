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

/** What a caller asks for with its conclusion. */
export interface Call {
  readonly streamKey: string;
  /** How long it wants lost packets to be waited for. */
  readonly latencyMs: number;
  /** What it waits for itself, which it wants to hear again. */
  readonly ownLatencyMs: number;
  /** Null: it does not encrypt. */
  readonly keyMaterial: KeyMaterial | null;
  /** The same as it came: the answer repeats it. */
  readonly keyMaterialMessage: Buffer | null;
}

/** Reads the conclusion of a caller. Nothing about keys decides what is refused here. */
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
