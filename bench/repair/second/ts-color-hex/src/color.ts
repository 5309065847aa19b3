export type Rgb = readonly [red: number, green: number, blue: number];
export type Hsl = readonly [hue: number, saturation: number, lightness: number];

export function parseHex(text: string): Rgb {
  let digits = text.replace(/^#/, "");
  if (/^[0-9a-f]{3}$/i.test(digits)) {
    digits = digits.replace(/./g, "$&$&");
  }
  if (!/^[0-9a-f]{6}$/i.test(digits)) throw new Error(`not a color: ${text}`);
  const value = Number.parseInt(digits, 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

export function toHex(color: Rgb): string {
  return "#" + color.map((channel) => channel.toString(16)).join("");
}

export function toHsl([red, green, blue]: Rgb): Hsl {
  const r = red / 255;
  const g = green / 255;
  const b = blue / 255;
  const max = Math.max(r, g, b);
  const min = Math.min(r, g, b);
  const spread = max - min;
  const lightness = (max + min) / 2;
  if (spread === 0) return [0, 0, Math.round(lightness * 100)];

  const saturation = spread / (1 - Math.abs(2 * lightness - 1));
  let sector: number;
  if (max === r) sector = (g - b) / spread;
  else if (max === g) sector = (b - r) / spread + 2;
  else sector = (r - g) / spread + 4;

  return [
    Math.round(sector * 60) % 360,
    Math.round(saturation * 100),
    Math.round(lightness * 100),
  ];
}

export function mix(a: Rgb, b: Rgb, weight = 0.5): Rgb {
  const at = (i: number) => Math.round(a[i] * (1 - weight) + b[i] * weight);
  return [at(0), at(1), at(2)];
}
