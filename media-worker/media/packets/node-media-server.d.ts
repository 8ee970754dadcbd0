// The library ships no types. These declarations cover only the exports of rtmp-library.ts, for version 4.4.3.

declare module 'node-media-server/src/protocol/rtmp.js' {
  interface ChunkHeader {
    fmt: number;
    cid: number;
    timestamp: number;
    length: number;
    type: number;
    stream_id: number;
  }

  interface ChunkStream {
    header: ChunkHeader;
    clock: number;
    payload: Buffer;
    /** Size of `payload`; kept for the next message, never shrunk. */
    capacity: number;
    /** Bytes of the current message read so far; 0 between messages. */
    bytes: number;
  }

  export default class Rtmp {
    handshakeState: number;
    parserPacket: ChunkStream;
    inPackets: Map<number, ChunkStream>;
    inChunkSize: number;
    flv: unknown;
    onOutputCallback: (data: Buffer) => void;

    parserData(data: Buffer): string | null;
    chunkRead(data: Buffer, from: number, bytes: number): string | null;
    packetHandler(): void;
    packetAlloc(): void;
    controlHandler(): void;
    invokeHandler(): void;
    dataHandler(): void;
    eventHandler(): void;
    onConnect(message: { transId?: unknown; cmdObj: Record<string, unknown> }): void;
    respondCreateStream(transId: number): void;
    sendACK(bytes: number): void;
    sendInvokeMessage(streamId: number, command: Record<string, unknown>): void;
    sendStatusMessage(streamId: number, level: string, code: string, description: string): void;
  }
}

declare module 'node-media-server/src/protocol/amf.js' {
  const amf: {
    decodeAmf0Cmd(data: Buffer): Record<string, unknown>;
    decodeAmf0Data(data: Buffer): Record<string, unknown>;
  };
  export default amf;
}

declare module 'node-media-server/src/core/logger.js' {
  const logger: { log: (message: string, level?: string) => void };
  export default logger;
}
