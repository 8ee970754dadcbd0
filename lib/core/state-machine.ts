/**
 * The transitions of one event: each source state with its target state, and the webhook event that the transition emits, if
 * any.
 */
type Transitions<S extends string, Emits extends string> = Readonly<
  Partial<Record<S, S | readonly [state: S, emits: Emits]>>
>;

interface Definition<S extends string, E extends string, Emits extends string> {
  readonly states: readonly S[];
  readonly events: Readonly<Record<E, Transitions<S, Emits>>>;
}

export interface StateMachine<S extends string, E extends string, Emits extends string> {
  readonly states: readonly S[];
  readonly events: readonly E[];
  /** The state after `event`; null if the event is not possible in `state`. */
  nextState(state: S, event: E): S | null;
  /** The webhook event that the transition emits; null if it emits none. */
  emittedEvent(state: S, event: E): Emits | null;
  /** The states in which `event` is possible, for the condition of an update. */
  statesBefore(event: E): S[];
  /**
   * The only target state of `event`.
   * @throws Error if the target depends on the source state
   */
  stateAfter(event: E): S;
  /** The machine as a table for the documentation: one row for each state, one cell for each event. */
  table(): string[][];
}

/**
 * Defines a state machine. Conditions that do not depend on the state, such as a time limit, are checked by a function next
 * to the definition, which then chooses the event.
 */
export function defineMachine<
  const S extends string,
  const E extends string,
  const Emits extends string = never,
>({ states, events }: Definition<S, E, Emits>): StateMachine<S, E, Emits> {
  const eventNames = Object.keys(events) as E[];
  const transition = (state: S, event: E): { readonly target: S; readonly emits: Emits | null } | null => {
    const transitionTarget = (events[event] as Transitions<S, Emits>)[state];
    if (transitionTarget === undefined) return null;
    const [target, emits]: readonly [S, Emits?] =
      typeof transitionTarget === 'string' ? [transitionTarget as S] : transitionTarget;
    return { target, emits: emits ?? null };
  };
  const nextState = (state: S, event: E) => transition(state, event)?.target ?? null;
  const statesBefore = (event: E) => states.filter((state) => transition(state, event) !== null);
  const stateAfter = (event: E) => {
    const [target = null, ...otherStates] = new Set(
      statesBefore(event).map((state) => nextState(state, event)),
    );
    if (target === null || otherStates.length > 0)
      throw new Error(`${event} does not have exactly one target state`);
    return target;
  };
  const formatCell = (state: S, event: E) => {
    const cellTransition = transition(state, event);
    if (!cellTransition) return '–';
    return cellTransition.emits === null
      ? cellTransition.target
      : `${cellTransition.target}, \`${cellTransition.emits}\``;
  };
  return {
    states,
    events: eventNames,
    nextState,
    statesBefore,
    stateAfter,
    emittedEvent: (state, event) => transition(state, event)?.emits ?? null,
    table: () =>
      states.map((state) => [`**${state}**`, ...eventNames.map((event) => formatCell(state, event))]),
  };
}

export type StateOf<M> = M extends StateMachine<infer S, string, string> ? S : never;
export type EventOf<M> = M extends { readonly events: readonly (infer E)[] } ? E : never;
