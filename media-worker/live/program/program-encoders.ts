import type {
  ProgramFacts,
  ProgramInput as InputName,
  ProgramReport,
} from '@/lib/core/streams/program-state';
import type { EncoderRole, ProgramInput } from './program-input';

/** The connected encoders of a program. */
export class ProgramEncoders {
  readonly #byRole: Record<EncoderRole, ProgramInput | null> = { primary: null, standby: null };

  /** The input with a role; null for `slate`, which is not an encoder. */
  get(role: InputName | null): ProgramInput | null {
    return role === null || role === 'slate' ? null : this.#byRole[role];
  }

  set(role: EncoderRole, input: ProgramInput | null): void {
    this.#byRole[role] = input;
  }

  get all(): ProgramInput[] {
    return Object.values(this.#byRole).filter((input) => input !== null);
  }

  get facts(): Pick<ProgramFacts, 'primary' | 'standby'> {
    const { primary, standby } = this.#byRole;
    return { primary: primary?.facts ?? null, standby: standby?.facts ?? null };
  }

  get reports(): Pick<ProgramReport, 'primary' | 'standby'> {
    const { primary, standby } = this.#byRole;
    return { primary: primary?.report ?? null, standby: standby?.report ?? null };
  }
}
