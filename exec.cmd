@rem The npm scripts use the exec of sh, which Windows lacks: there, npm finds this file.
@%*
