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
        <name>Memory</name>
        <message numerus="yes">
            <source>%n chapters to write, waiting for a quiet moment</source>
            <translation>
                <numerusform>%n chapter to write, waiting for a quiet moment</numerusform>
                <numerusform>%n chapters to write, waiting for a quiet moment</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n attempts were not kept</source>
            <translation>
                <numerusform>%n attempt was not kept</numerusform>
                <numerusform>%n attempts were not kept</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n messages ({where}) do not fit and are out of sight until a chapter is written.</source>
            <translation>
                <numerusform>%n message ({where}) does not fit and is out of sight until a chapter is written.</numerusform>
                <numerusform>%n messages ({where}) do not fit and are out of sight until a chapter is written.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n attempts</source>
            <translation>
                <numerusform>%n attempt</numerusform>
                <numerusform>%n attempts</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n tokens read</source>
            <translation>
                <numerusform>%n token read</numerusform>
                <numerusform>%n tokens read</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n tokens written</source>
            <translation>
                <numerusform>%n token written</numerusform>
                <numerusform>%n tokens written</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{chapter} now stands for %n messages.</source>
            <translation>
                <numerusform>{chapter} now stands for %n message.</numerusform>
                <numerusform>{chapter} now stands for %n messages.</numerusform>
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
        <name>Status</name>
        <message numerus="yes">
            <source>%n messages are out of sight until a chapter is written</source>
            <translation>
                <numerusform>%n message is out of sight until a chapter is written</numerusform>
                <numerusform>%n messages are out of sight until a chapter is written</numerusform>
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
    </context>
</TS>
