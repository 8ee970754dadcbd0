import type { HealthSample } from './health-sample';
import { lookBack, symptoms, type Symptom } from './symptoms';

export type SymptomName = keyof typeof symptoms;

/** How far one symptom is. */
interface Sign {
  /** Consecutive samples that indicate a change. */
  readonly count: number;
  /** Null while all is well; the measure at its worst since it was not. */
  readonly worst: number | null;
}

/** What the doctor remembers of a publish. */
export interface DoctorState {
  readonly recent: readonly HealthSample[];
  readonly signs: Readonly<Partial<Record<SymptomName, Sign>>>;
}

export const initialDoctorState: DoctorState = { recent: [], signs: {} };

const names = Object.keys(symptoms) as SymptomName[];
const well: Sign = { count: 0, worst: null };

/**
 * Takes the next sample in. What is wrong is said only after some samples in a row, and taken back only after some that
 * are clearly better, so that nothing flaps.
 */
export function examine(state: DoctorState, sample: HealthSample): DoctorState {
  const recent = [...state.recent, sample].slice(-lookBack);
  const signs = Object.fromEntries(
    names.map((name) => [name, nextSign(state.signs[name] ?? well, symptoms[name], recent)]),
  );
  return { recent, signs };
}

/** What is wrong now, a sentence each with its remedy. */
export function issuesOf({ signs }: DoctorState): string[] {
  return names.flatMap((name) => {
    const worst = signs[name]?.worst ?? null;
    return worst === null ? [] : [symptoms[name].sentence(worst)];
  });
}

function nextSign({ count, worst }: Sign, symptom: Symptom, recent: readonly HealthSample[]): Sign {
  const measured = symptom.measure(recent);
  if (measured === null) return { count, worst };
  if (worst === null) {
    if (measured < symptom.raise) return well;
    return count + 1 < symptom.after ? { count: count + 1, worst } : { count: 0, worst: measured };
  }
  if (measured >= symptom.clear) return { count: 0, worst: Math.max(worst, measured) };
  return count + 1 < symptom.calm ? { count: count + 1, worst } : well;
}
