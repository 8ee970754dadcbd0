// The library ships no types. This declares only the parts that recogniser.ts uses, as of 1.13.8.

declare module 'sherpa-onnx-node' {
  interface Waveform {
    sampleRate: number;
    samples: Float32Array;
  }

  /** Audio whose text is requested after its end. */
  interface OfflineStream {
    acceptWaveform(waveform: Waveform): void;
  }

  /** Audio whose text is requested while it arrives. */
  interface OnlineStream extends OfflineStream {
    inputFinished(): void;
  }

  interface RecognitionResult {
    text: string;
    tokens?: string[];
    /** Seconds from the start of the stream, one per token. */
    timestamps?: number[];
  }

  export class OfflineRecognizer {
    constructor(config: object);
    createStream(): OfflineStream;
    decode(stream: OfflineStream): void;
    getResult(stream: OfflineStream): RecognitionResult;
  }

  export class OnlineRecognizer {
    constructor(config: object);
    createStream(): OnlineStream;
    isReady(stream: OnlineStream): boolean;
    decode(stream: OnlineStream): void;
    getResult(stream: OnlineStream): RecognitionResult;
  }

  /** Voice activity detection: finds the pieces of audio in which a person speaks. */
  export class Vad {
    constructor(config: object, bufferSeconds: number);
    acceptWaveform(samples: Float32Array): void;
    isEmpty(): boolean;
    isDetected(): boolean;
    /**
     * The oldest piece of speech. `start` is the index of its first sample since the first `acceptWaveform`.
     * @param external whether `samples` may be in memory of the library; false: they are copied to memory of Node.js
     */
    front(external: boolean): { samples: Float32Array; start: number };
    /** Removes the piece that `front` returns. */
    pop(): void;
    flush(): void;
  }
}
