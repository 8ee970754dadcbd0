const DAYS = 30;
const DAY_MS = 86_400_000;

interface KeyUsageProps {
  usage: readonly { day: string; calls: number }[];
  /** Milliseconds since 1970; the last day shown. */
  today: number;
}

/** Calls of the last 30 days: the number, and bars a day for those who can see them. */
export function KeyUsage({ usage, today }: KeyUsageProps) {
  const calls = new Map(usage.map((each) => [each.day, each.calls]));
  const days = Array.from({ length: DAYS }, (_, index) => {
    const day = new Date(today - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return calls.get(day) ?? 0;
  });
  const total = days.reduce((sum, each) => sum + each, 0);
  const most = Math.max(1, ...days);
  return (
    <span className="inline-flex items-center gap-3">
      <span className="w-12 font-mono text-sm sm:text-right">{total.toLocaleString('en')}</span>
      <svg viewBox={`0 0 ${DAYS * 3} 20`} aria-hidden="true" className="h-5 w-[90px]">
        {days.map((each, index) => {
          const height = each === 0 ? 1 : 2 + (each / most) * 18;
          return (
            <rect
              key={index}
              x={index * 3}
              y={20 - height}
              width={2}
              height={height}
              className={each === 0 ? 'fill-line' : 'fill-accent'}
            />
          );
        })}
      </svg>
    </span>
  );
}
