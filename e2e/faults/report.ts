import type { AuditCounts } from './audit/audit';
import type { FaultName } from './fault-names';
import type { InjectedFault } from './faults';
import type { Incidents } from './journal';
import type { Counters } from './load/counters';
import type { Outage } from './load/viewer';

export interface RoundResult {
  readonly round: number;
  readonly faults: readonly InjectedFault[];
  readonly load: Counters;
  readonly outages: readonly Outage[];
  readonly incidents: Incidents;
  readonly audit: AuditCounts;
  readonly problems: number;
}

/** Formats the result of a round as a Markdown table. */
export function formatRound(result: RoundResult): string {
  const { round, faults, load, outages, incidents, audit, problems } = result;
  const longestOutageMs = Math.max(0, ...outages.map(({ durationMs }) => durationMs));
  const rows: (readonly [string, string | number])[] = [
    ...createFaultRows(faults),
    ...Object.entries(load).map(([name, count]) => [`load: ${splitCamelCase(name)}`, count] as const),
    ['longest time without a playlist', formatSeconds(longestOutageMs)],
    ...[...incidents].map(([label, count]) => [`incident: ${label}`, count] as const),
    ...Object.entries(audit),
    ['problems', problems],
  ];
  const lines = rows.map(([name, value]) => `| ${name} | ${value} |`);
  return [`| round ${round} | |`, '| --- | --- |', ...lines].join('\n');
}

function createFaultRows(faults: readonly InjectedFault[]): (readonly [string, string])[] {
  const byName = new Map<FaultName, InjectedFault[]>();
  for (const fault of faults) byName.set(fault.name, [...(byName.get(fault.name) ?? []), fault]);
  return [...byName].map(([name, sameFaults]) => {
    const slowest = Math.max(
      ...sameFaults.map(({ healthyAfterMs }) => healthyAfterMs ?? Number.POSITIVE_INFINITY),
    );
    const times = sameFaults.length === 1 ? '' : `${sameFaults.length} times, `;
    const outcome = Number.isFinite(slowest)
      ? `healthy after ${formatSeconds(slowest)}`
      : 'not healthy again';
    return [`fault: ${name}`, `${times}${outcome}`];
  });
}

const formatSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const splitCamelCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
