export interface Signup {
  username: string;
  email: string;
  age: number | string;
}

export interface Problem {
  row: number;
  field: keyof Signup;
  message: string;
}

const USERNAME = /^[a-z][a-z0-9_]{2,15}$/;
const EMAIL = /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i;
const RESERVED = new Set(['admin', 'root', 'support']);

function checkUsername(username: string): string | null {
  if (!USERNAME.test(username)) return 'must be 3 to 16 lower-case letters, digits or underscores';
  if (RESERVED.has(username)) return 'is reserved';
  return null;
}

function checkEmail(email: string): string | null {
  return EMAIL.test(email) ? null : 'is not an address';
}

function checkAge(age: number | string): string | null {
  const years = Number(age);
  if (!Number.isInteger(years)) return 'must be a whole number';
  return years < 13 ? 'must be at least 13' : null;
}

export function validateSignups(signups: Signup[]): Problem[] {
  const problems: Problem[] = [];
  signups.forEach((signup, row) => {
    const results: [keyof Signup, string | null][] = [
      ['username', checkUsername(signup.username)],
      ['email', checkEmail(signup.email)],
      ['age', checkAge(signup.age)],
    ];
    for (const [field, message] of results) {
      if (message !== null) problems.push({ row, field, message });
    }
  });
  return problems;
}
