const pad = (n) => String(n).padStart(2, '0');

function split(ms) {
  return {
    hours: Math.floor(ms / 3_600_000),
    minutes: Math.floor((ms % 3_600_000) / 60_000),
    seconds: Math.round((ms % 60_000) / 1000),
  };
}

/** 3723000 becomes "1h 2m 3s"; parts that are zero are left out. */
export function humanDuration(ms) {
  if (ms < 0) return `-${humanDuration(-ms)}`;
  const { hours, minutes, seconds } = split(ms);
  const parts = [];
  if (hours) parts.push(`${hours}h`);
  if (minutes) parts.push(`${minutes}m`);
  if (seconds || parts.length === 0) parts.push(`${seconds}s`);
  return parts.join(' ');
}

/** 3723000 becomes "1:02:03", 65000 becomes "1:05". */
export function clockDuration(ms) {
  const { hours, minutes, seconds } = split(ms);
  return hours ? `${hours}:${pad(minutes)}:${pad(seconds)}` : `${minutes}:${pad(seconds)}`;
}
