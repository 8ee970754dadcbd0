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
export function roundTable(result: RoundResult): string {
  const { round, faults, load, outages, incidents, audit, problems } = result;
  const longest = Math.max(0, ...outages.map(({ ms }) => ms));
  const rows: (readonly [string, string | number])[] = [
    ...faultRows(faults),
    ...Object.entries(load).map(([name, count]) => [`load: ${withSpaces(name)}`, count] as const),
    ['longest time without a playlist', seconds(longest)],
    ...[...incidents].map(([label, count]) => [`incident: ${label}`, count] as const),
    ...Object.entries(audit),
    ['problems', problems],
  ];
  const lines = rows.map(([name, value]) => `| ${name} | ${value} |`);
  return [`| round ${round} | |`, '| --- | --- |', ...lines].join('\n');
}

function faultRows(faults: readonly InjectedFault[]): (readonly [string, string])[] {
  const byName = new Map<FaultName, InjectedFault[]>();
  for (const fault of faults) byName.set(fault.name, [...(byName.get(fault.name) ?? []), fault]);
  return [...byName].map(([name, all]) => {
    const slowest = Math.max(...all.map(({ healthyAfterMs }) => healthyAfterMs ?? Number.POSITIVE_INFINITY));
    const times = all.length === 1 ? '' : `${all.length} times, `;
    const outcome = Number.isFinite(slowest) ? `healthy after ${seconds(slowest)}` : 'not healthy again';
    return [`fault: ${name}`, `${times}${outcome}`];
  });
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const withSpaces = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
