import {
  manualChoice,
  chooseInput,
  nothingOnAir,
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

/** How often silent encoders are detected while another input is available. */
const checkIntervalMs = 250;

/**
 * The program of a session: one sequence of packets on one timeline, from the first encoder to the end of the session.
 * core/streams/program-state decides which input is on air.
 */
export class Program {
  readonly #options: ProgramOptions;
  readonly #output: ProgramOutput;
  readonly #issues: ProgramIssues;
  readonly #inputs = new ProgramEncoders();
  #settings: ProgramSettings = noProgram;
  #state: ProgramState = nothingOnAir;
  #since: number;
  /** The chosen input while it waits for a keyframe. */
  #choice: ProgramChoice | null = null;
  #timer: NodeJS.Timeout | undefined;
  #playable = false;
  #ended = false;

  constructor(options: ProgramOptions) {
    const { observer, ...publishOptions } = options;
    this.#options = options;
    this.#since = options.clock.now().getTime();
    this.#issues = new ProgramIssues((issues) => observer.issues(issues));
    this.#output = new ProgramOutput({
      ...publishOptions,
      segment: () => {
        if (this.#playable) return;
        this.#playable = true;
        observer.playable();
      },
      onPlayable: () => this.#onAir?.markShown(),
      issue: (message) => this.#issues.add(message),
      onResolve: (message) => this.#issues.resolve(message),
      onRefuse: (message) => this.#refused(message),
      onFailure: () => this.#onAir?.connection.disconnect('lost'),
    });
  }

  get report(): ProgramReport {
    return { ...this.#state, since: this.#since, ...this.#inputs.reports };
  }

  get input(): InputName | null {
    return this.#state.input;
  }

  /** `coming`: the slate is being made. Null: there is no slate. */
  get slate(): 'ready' | 'coming' | null {
    return this.#output.slate;
  }

  get encoders(): number {
    return this.#inputs.all.length;
  }

  publisher(role: EncoderRole): Publisher | null {
    return this.#inputs.at(role)?.publisher ?? null;
  }

  /** Milliseconds since the last media of the encoder on air, or else of a waiting one; null without an encoder. */
  get silentMs(): number | null {
    return (this.#onAir ?? this.#inputs.all[0])?.silentMs ?? null;
  }

  configure(settings: ProgramSettings): void {
    this.#settings = settings;
    // A single encoder stays connected, whatever its role.
    if (!settings.backup && this.encoders > 1) this.disconnect('cut', 'standby');
    this.#output.configure(settings);
    clearInterval(this.#timer);
    if (this.#ended || (!settings.backup && !settings.slate)) return;
    this.#timer = setInterval(() => this.#choose(), checkIntervalMs);
    this.#choose();
  }

  /** @param publishNumber number for the segments if this encoder starts the program */
  connect(role: EncoderRole, connection: PublisherConnection, publishNumber: number): PublishSink {
    this.disconnect('replaced', role);
    const input: ProgramInput = new ProgramInput({
      ...{ role, connection, clock: this.#options.clock, about: this.#options.names },
      onAnnounce: (tracks) => {
        if ([null, role].some((each) => each === this.#state.input)) this.#output.announce(tracks);
      },
      packet: (packet) => this.#packet(input, packet),
      onMedia: (silentMs) => this.#seen(input, silentMs),
      onEnd: (reason) => this.#gone(input, reason),
    });
    this.#inputs.set(role, input);
    this.#output.startPublish(publishNumber);
    this.#playable = false;
    this.#choose();
    this.#options.observer.onChange();
    return input.sink;
  }

  disconnect(reason: PublishEnd, role?: EncoderRole): void {
    const inputs = this.#inputs.all.filter((input) => role === undefined || input.role === role);
    for (const { connection } of inputs) connection.disconnect(reason);
  }

  /** Switches to an input at a user's request. @returns false if the input is not available */
  switchTo(input: InputName): boolean {
    const choice = manualChoice(this.#state, input, this.#facts);
    if (choice) this.#follow(choice);
    return choice !== null;
  }

  /** Ends the program. May be called twice. */
  end(reason: PublishEnd): void {
    this.#ended = true;
    clearInterval(this.#timer);
    this.#output.end(reason);
  }

  get #onAir(): ProgramInput | null {
    return this.#inputs.at(this.#state.input);
  }

  get #facts(): ProgramFacts {
    const { fallbackAfterMs } = this.#settings;
    return { ...this.#inputs.facts, slate: this.slate === 'ready', fallbackAfterMs };
  }

  #choose(): void {
    if (this.#ended) return;
    const [state, facts] = [this.#state, this.#facts];
    // A user's choice waits until its input is ready.
    const manual = this.#choice?.byHand ? manualChoice(state, this.#choice.input ?? 'primary', facts) : null;
    this.#follow(manual ?? chooseInput(state, facts));
  }

  #follow(choice: ProgramChoice): void {
    const { input, byHand } = choice;
    if (input === this.#state.input) {
      this.#choice = null;
      if (byHand !== this.#state.byHand) this.#became({ input, byHand });
    } else if (input === null) this.#hold();
    else if (input === 'slate') {
      this.#output.showSlate();
      this.#became({ input, byHand });
    } else {
      const encoder = this.#inputs.at(input);
      if (encoder) this.#prefer(encoder, choice);
    }
  }

  #prefer(encoder: ProgramInput, choice: ProgramChoice): void {
    const isOnAirGone = this.#state.input !== null && this.#state.input !== 'slate' && !this.#onAir;
    if (choice.urgent && encoder.isPunctual && encoder.frames.length > 0) this.#enter(encoder, choice);
    else {
      if (isOnAirGone) this.#hold();
      if (this.#state.input !== null || encoder.facts.ready) this.#choice = choice;
      else {
        this.#output.begin();
        this.#became(choice);
      }
    }
  }

  #packet(input: ProgramInput, packet: MediaPacket): void {
    if (this.#ended) return;
    if (this.#state.input === input.role) this.#output.push(packet);
    else if (input.rejection !== undefined) this.#refuse(input, input.rejection);
    else if (input.isEntry(packet)) {
      if (this.#choice?.input !== input.role) this.#choose();
      if (this.#choice?.input === input.role) this.#enter(input, this.#choice, packet);
    }
  }

  #enter(encoder: ProgramInput, choice: ProgramChoice, packet?: MediaPacket): void {
    this.#output.enter(encoder, packet);
    this.#became(choice);
  }

  #hold(): void {
    this.#output.hold();
    this.#became(nothingOnAir);
  }

  #became({ input, byHand }: ProgramState): void {
    this.#choice = null;
    if (input !== this.#state.input) this.#since = this.#options.clock.now().getTime();
    this.#state = { input, byHand };
    if (this.#onAir) this.#issues.clear();
    this.#options.observer.onChange();
  }

  #gone(input: ProgramInput, reason: PublishEnd): void {
    if (this.#inputs.at(input.role) !== input) return;
    const { observer } = this.#options;
    const { silentMs } = input;
    this.#seen(input, silentMs);
    this.#inputs.set(input.role, null);
    if (this.encoders > 0) {
      this.#choose();
      observer.onChange();
      return;
    }
    if (reason === 'finished' || reason === 'cut') this.end(reason);
    else {
      // Show any input that is available; the encoder that replaces this one is already connected.
      if (!this.#playable || reason === 'replaced') this.#hold();
      if (reason !== 'replaced') this.#choose();
    }
    observer.onEnd(reason, silentMs);
    observer.onChange();
  }

  /** Records media on air. Media of a rejected encoder was not shown, so it does not count. */
  #seen(input: ProgramInput, silentMs: number): void {
    if (this.#onAir === input && input.isShown) this.#options.observer.onMedia(silentMs);
  }

  #refused(message: string): void {
    this.#issues.add(message);
    const input = this.#onAir;
    if (input) this.#refuse(input, message);
  }

  #refuse(input: ProgramInput, message: string): void {
    metrics.publishesRefused.inc({ reason: 'unsupported_media' });
    this.#options.observer.onReject(message, input.connection.ip);
    input.connection.disconnect('cut', message);
  }
}
