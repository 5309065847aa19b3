// What the warm worker for node --test was told of its surroundings when it was started.

export const facts = JSON.parse(process.argv[2]);
