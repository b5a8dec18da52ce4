<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_GB">
    <context>
        <name>Import</name>
        <message numerus="yes">
            <source>%n things were repaired or left out.</source>
            <translation>
                <numerusform>%n thing was repaired or left out.</numerusform>
                <numerusform>%n things were repaired or left out.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Prompt</name>
        <message numerus="yes">
            <source>%n tokens</source>
            <translation>
                <numerusform>%n token</numerusform>
                <numerusform>%n tokens</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Time</name>
        <message numerus="yes">
            <source>%n min ago</source>
            <translation>
                <numerusform>%n min ago</numerusform>
                <numerusform>%n min ago</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Window</name>
        <message numerus="yes">
            <source>%n messages</source>
            <translation>
                <numerusform>%n message</numerusform>
                <numerusform>%n messages</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n messages deleted</source>
            <translation>
                <numerusform>%n message deleted</numerusform>
                <numerusform>%n messages deleted</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n messages (#{first}–#{last}) do not fit and are out of sight of the model.</source>
            <translation>
                <numerusform>%n message (#{first}–#{last}) does not fit and is out of sight of the model.</numerusform>
                <numerusform>%n messages (#{first}–#{last}) do not fit and are out of sight of the model.</numerusform>
            </translation>
        </message>
    </context>
</TS>
