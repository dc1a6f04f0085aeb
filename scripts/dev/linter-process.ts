import { answerJobs } from './answer-jobs.ts'
import { runRedoclyHere } from './redocly-here.ts'

answerJobs(runRedoclyHere)
