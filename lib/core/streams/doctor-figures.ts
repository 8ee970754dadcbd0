export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** The coefficient of variation: standard deviation divided by mean. */
export function variationCoefficient(values: readonly number[]): number {
  const average = mean(values);
  if (average === 0) return 0;
  return Math.sqrt(mean(values.map((value) => (value - average) ** 2))) / average;
}

/** Formats a factor with one decimal. */
export const formatFactor = (value: number): string => Math.max(0, value).toFixed(1);

export const formatPercent = (value: number): string => `${Math.round(Math.max(0, value) * 100)} %`;
