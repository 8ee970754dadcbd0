import {
  chooseManually,
  chooseInput,
  initialProgramState,
  type ProgramChoice,
  type ProgramFacts,
  type ProgramInput as InputName,
  type ProgramReport,
  type ProgramState,
} from '@/lib/core/streams/program-state';
import type { Publisher } from '@/lib/core/streams/publish-admission';
import { metrics } from '@/lib/infra/metrics/metrics';
import { noProgram, type ProgramSettings } from '@/lib/domain/streams';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import type { PublishEnd, PublisherConnection, PublishSink } from '@/media-worker/media/packets/publish';
import { ProgramEncoders } from './program-encoders';
import { ProgramInput, type EncoderRole } from './program-input';
import { ProgramIssues } from './program-issues';
import type { ProgramOptions } from './program-observer';
import { ProgramOutput } from './program-output';

/** Interval at which silent encoders are detected, if a standby encoder or a slate may replace them. */
const CHECK_INTERVAL_MS = 250;

/** The program of a session: packets on one timeline, of the inputs that lib/core/streams/program-state.ts puts on air. */
export class Program {
  readonly #options: ProgramOptions;
  readonly #output: ProgramOutput;
  readonly #issues: ProgramIssues;
  readonly #inputs = new ProgramEncoders();
  #settings: ProgramSettings = noProgram;
  #state: ProgramState = initialProgramState;
  #inputSinceMs: number;
  /** The chosen input while the program waits for its keyframe. */
  #choice: ProgramChoice | null = null;
  #checkTimer: NodeJS.Timeout | undefined;
  #hasSegment = false;
  #ended = false;

  constructor(options: ProgramOptions) {
    const { observer, ...publishOptions } = options;
    this.#options = options;
    this.#inputSinceMs = options.clock.now().getTime();
    this.#issues = new ProgramIssues((issues) => observer.onIssues(issues));
    this.#output = new ProgramOutput({
      ...publishOptions,
      onSegmentClosed: () => {
        if (this.#hasSegment) return;
        this.#hasSegment = true;
        observer.onFirstSegment();
      },
      onPlayable: () => this.#onAir?.markShown(),
      onIssue: (message) => this.#issues.add(message),
      onResolve: (message) => this.#issues.resolve(message),
      onReject: (message) => this.#onReject(message),
      onFailure: () => this.#onAir?.connection.disconnect('lost'),
    });
  }

  get report(): ProgramReport {
    return { ...this.#state, since: this.#inputSinceMs, ...this.#inputs.reports };
  }

  get input(): InputName | null {
    return this.#state.input;
  }

  /** State of the slate. `coming`: the slate is being made. Null: there is no slate. */
  get slate(): 'ready' | 'coming' | null {
    return this.#output.slate;
  }

  get encoderCount(): number {
    return this.#inputs.all.length;
  }

  publisher(role: EncoderRole): Publisher | null {
    return this.#inputs.get(role)?.publisher ?? null;
  }

  /** Milliseconds since the last media of the encoder on air, or of another if none is; null without an encoder. */
  get silentMs(): number | null {
    return (this.#onAir ?? this.#inputs.all[0])?.silentMs ?? null;
  }

  configure(settings: ProgramSettings): void {
    this.#settings = settings;
    // A single encoder stays connected, whatever its role.
    if (!settings.backup && this.encoderCount > 1) this.disconnect('cut', 'standby');
    this.#output.configure(settings);
    clearInterval(this.#checkTimer);
    if (this.#ended || (!settings.backup && !settings.slate)) return;
    this.#checkTimer = setInterval(() => this.#choose(), CHECK_INTERVAL_MS);
    this.#choose();
  }

  /** Connects an encoder, whose segments get this publish number, and disconnects another encoder of its role. */
  connect(role: EncoderRole, connection: PublisherConnection, publishNumber: number): PublishSink {
    this.disconnect('replaced', role);
    const input: ProgramInput = new ProgramInput({
      role,
      connection,
      clock: this.#options.clock,
      ids: this.#options.ids,
      onAnnounce: (tracks) => {
        if (this.#state.input === null || this.#state.input === role) this.#output.announce(tracks);
      },
      onPacket: (packet) => this.#onPacket(input, packet),
      isOnAir: () => this.#state.input === role,
      onLayer: (layer, packet) => this.#output.pushLayer(layer, packet),
      onMedia: (silentMs) => this.#reportMedia(input, silentMs),
      onEnd: (reason) => this.#onInputEnd(input, reason),
    });
    this.#inputs.set(role, input);
    this.#output.startPublish(publishNumber);
    this.#hasSegment = false;
    this.#choose();
    this.#options.observer.onChange();
    return input.sink;
  }

  disconnect(reason: PublishEnd, role?: EncoderRole): void {
    const inputs = this.#inputs.all.filter((input) => role === undefined || input.role === role);
    for (const { connection } of inputs) connection.disconnect(reason);
  }

  /** Switches to an input at a user's request, now or at its next keyframe; false if the input is not available. */
  switchTo(input: InputName): boolean {
    const choice = chooseManually(this.#state, input, this.#facts);
    if (choice) this.#applyChoice(choice);
    return choice !== null;
  }

  /** Ends the program. May be called twice. */
  end(reason: PublishEnd): void {
    this.#ended = true;
    clearInterval(this.#checkTimer);
    this.#output.end(reason);
  }

  get #onAir(): ProgramInput | null {
    return this.#inputs.get(this.#state.input);
  }

  get #facts(): ProgramFacts {
    const { fallbackAfterMs } = this.#settings;
    return { ...this.#inputs.facts, slate: this.slate === 'ready', fallbackAfterMs };
  }

  #choose(): void {
    if (this.#ended) return;
    const [state, facts] = [this.#state, this.#facts];
    // A user's choice waits until its input is ready.
    const manualDecision = this.#choice?.byHand
      ? chooseManually(state, this.#choice.input ?? 'primary', facts)
      : null;
    this.#applyChoice(manualDecision ?? chooseInput(state, facts));
  }

  #applyChoice(choice: ProgramChoice): void {
    const { input, byHand } = choice;
    if (input === this.#state.input) {
      this.#choice = null;
      if (byHand !== this.#state.byHand) this.#setState({ input, byHand });
    } else if (input === null) this.#takeOffAir();
    else if (input === 'slate') {
      this.#output.showSlate();
      this.#setState({ input, byHand });
    } else {
      const encoder = this.#inputs.get(input);
      if (encoder) this.#switchToEncoder(encoder, choice);
    }
  }

  #switchToEncoder(encoder: ProgramInput, choice: ProgramChoice): void {
    const isOnAirGone = this.#state.input !== null && this.#state.input !== 'slate' && !this.#onAir;
    if (choice.urgent && encoder.isPunctual && encoder.frames.length > 0) this.#putOnAir(encoder, choice);
    else {
      if (isOnAirGone) this.#takeOffAir();
      if (this.#state.input !== null || encoder.facts.ready) this.#choice = choice;
      else {
        this.#output.startFirst();
        this.#setState(choice);
      }
    }
  }

  #onPacket(input: ProgramInput, packet: MediaPacket): void {
    if (this.#ended) return;
    if (this.#state.input === input.role) this.#output.push(packet);
    else if (input.rejection !== undefined) this.#reject(input, input.rejection);
    else if (input.isEntry(packet)) {
      if (this.#choice?.input !== input.role) this.#choose();
      if (this.#choice?.input === input.role) this.#putOnAir(input, this.#choice, packet);
    }
  }

  #putOnAir(encoder: ProgramInput, choice: ProgramChoice, packet?: MediaPacket): void {
    this.#output.switchTo(encoder, packet);
    this.#setState(choice);
  }

  #takeOffAir(): void {
    this.#output.takeOffAir();
    this.#setState(initialProgramState);
  }

  #setState({ input, byHand }: ProgramState): void {
    this.#choice = null;
    if (input !== this.#state.input) this.#inputSinceMs = this.#options.clock.now().getTime();
    this.#state = { input, byHand };
    if (this.#onAir) this.#issues.clear();
    this.#options.observer.onChange();
  }

  #onInputEnd(input: ProgramInput, reason: PublishEnd): void {
    if (this.#inputs.get(input.role) !== input) return;
    const { observer } = this.#options;
    const { silentMs } = input;
    this.#reportMedia(input, silentMs);
    this.#inputs.set(input.role, null);
    const isLast = this.encoderCount === 0;
    if (!isLast) this.#choose();
    else if (reason === 'finished' || reason === 'cut') this.end(reason);
    else {
      // Show any input that is available; the encoder that replaces this one is already connected.
      if (!this.#hasSegment || reason === 'replaced') this.#takeOffAir();
      if (reason !== 'replaced') this.#choose();
    }
    if (isLast) observer.onEnd(reason, silentMs);
    observer.onChange();
  }

  /** Reports media on air. Media of a rejected encoder was not shown, so it does not count. */
  #reportMedia(input: ProgramInput, silentMs: number): void {
    if (this.#onAir === input && input.isShown) this.#options.observer.onMedia(silentMs);
  }

  #onReject(message: string): void {
    this.#issues.add(message);
    const input = this.#onAir;
    if (input) this.#reject(input, message);
  }

  #reject(input: ProgramInput, message: string): void {
    metrics.publishesRejected.inc({ reason: 'unsupported_media' });
    this.#options.observer.onReject(message, input.connection.ip);
    input.connection.disconnect('cut', message);
  }
}
