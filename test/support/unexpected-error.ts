import { EventEmitter } from 'node:events'

// Loaded before the service, by NODE_OPTIONS: at a signal it does what a fault in the code would do.
const faults: Readonly<Record<string, () => unknown>> = {
  'a timer that throws': () =>
    setTimeout(() => {
      throw new Error('nobody expected this')
    }, 1),
  'a promise that rejects': () => Promise.reject(new Error('nobody expected this')),
  'an error event that nobody hears': () =>
    new EventEmitter().emit('error', new Error('nobody expected this')),
}

process.on('SIGUSR2', () => void faults[process.env['FAULT'] ?? '']?.())
