// The library ships no types. This declares only the parts that recogniser.ts uses, as of 1.13.8.

declare module 'sherpa-onnx-node' {
  interface Waveform {
    sampleRate: number;
    samples: Float32Array;
  }

  interface Stream {
    acceptWaveform(waveform: Waveform): void;
    inputFinished(): void;
  }

  interface Result {
    text: string;
    tokens?: string[];
    /** Seconds from the start of the stream, one per token. */
    timestamps?: number[];
  }

  export class OfflineRecognizer {
    constructor(config: object);
    createStream(): Pick<Stream, 'acceptWaveform'>;
    decode(stream: Pick<Stream, 'acceptWaveform'>): void;
    getResult(stream: Pick<Stream, 'acceptWaveform'>): Result;
  }

  export class OnlineRecognizer {
    constructor(config: object);
    createStream(): Stream;
    isReady(stream: Stream): boolean;
    decode(stream: Stream): void;
    getResult(stream: Stream): Result;
  }

  export class Vad {
    constructor(config: object, bufferSeconds: number);
    acceptWaveform(samples: Float32Array): void;
    isEmpty(): boolean;
    isDetected(): boolean;
    /** @param external whether samples may stay in memory of the library */
    front(external: boolean): { samples: Float32Array; start: number };
    pop(): void;
    flush(): void;
  }
}
