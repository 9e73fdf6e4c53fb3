#!/usr/bin/env node
// `skillgate-conform`: the suite for teams that have the kit's package and no checkout of the house.
import { conformArguments, conformUsage, type ConformArguments } from './conform-arguments.js';
import { runConform } from './run-conform.js';

function read(): ConformArguments {
  try {
    return conformArguments(process.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${conformUsage}`);
    return process.exit(64); // EX_USAGE
  }
}

const wanted = read();
if (wanted.help) console.log(conformUsage);
else {
  process.exitCode = await runConform(wanted, process.cwd(), console.log).catch((error: Error) => {
    console.error(`skillgate-conform: ${error.message}`);
    return 69; // EX_UNAVAILABLE
  });
}
