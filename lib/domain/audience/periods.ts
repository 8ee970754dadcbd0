/** How long the periods of an audience are, in seconds: minutes are put together into hours, and hours into days. */
export const minuteSeconds = 60;
export const hourSeconds = 3_600;
export const daySeconds = 86_400;

/** Of the process that counted, in rows that were put together. */
export const noNode = '00000000-0000-0000-0000-000000000000';
